"""The twelve questions of the healthcare domain with their gold SQL."""

from pipeline.demo.model import Question, Tag, Words

_NIGHTS = Words(
    "Length of stay = calendar days from the date of admission to the date of discharge.",
    "住院天数=出院日期与入院日期相差的自然日数。",
)
_PRINCIPAL = Words("The principal diagnosis has rank 1.", "主要诊断的诊断序号为1。")

QUESTIONS = (
    Question(
        Words(
            "List the stays of the patient with number 000027: time of admission, department name, name of the "
            "doctor in charge and time of discharge (empty while in hospital), in order of admission.",
            "请列出患者编号000027的历次住院：入院时间、科室名称、主管医生姓名和出院时间（仍在院则为空），"
            "按入院时间先后排列。",
        ),
        """
        SELECT a.[admitted_at], d.[dept_name], m.[doctor_name], a.[discharged_at]
        FROM [admission] AS a
        JOIN [department] AS d ON d.[dept_code] = a.[dept_code]
        JOIN [doctor] AS m ON m.[doctor_id] = a.[doctor_id]
        WHERE a.[patient_id] = '000027' ORDER BY a.[admitted_at]
        """,
        (Tag.JOIN3, Tag.LEADING_ZERO),
    ),
    Question(
        Words(
            "For each department, how many stays that began in 2024 have ended (have a time of discharge), and how "
            "many days did they last on average, rounded to one decimal? Give department code, name, number and "
            "average, by code.",
            "各科室2024年入院且已有出院时间的住院共有多少次，平均住院天数是多少（保留一位小数）？请给出科室代码、科室名称、"
            "次数和平均天数，按科室代码升序排列。",
        ),
        """
        SELECT d.[dept_code], d.[dept_name], COUNT(*) AS [stays|住院次数],
               ROUND(AVG(julianday(date(a.[discharged_at])) - julianday(date(a.[admitted_at]))), 1)
                 AS [average_days|平均住院天数]
        FROM [admission] AS a JOIN [department] AS d ON d.[dept_code] = a.[dept_code]
        WHERE strftime('%Y', a.[admitted_at]) = '2024' AND a.[discharged_at] IS NOT NULL
        GROUP BY d.[dept_code], d.[dept_name] ORDER BY d.[dept_code]
        """,
        (Tag.GROUP, Tag.DATE, Tag.NULL, Tag.LEADING_ZERO),
        _NIGHTS,
    ),
    Question(
        Words(
            "What did all discharged stays cost in each division (the level above the departments)? Give the "
            "division's name and the total cost in yuan, rounded to two decimals, highest cost first.",
            "各大科（专科的上级科室）所有已出院住院的总费用是多少元（保留两位小数）？请给出大科名称和总费用，"
            "按总费用从高到低排列。",
        ),
        """
        SELECT p.[dept_name], ROUND(SUM(a.[total_cost_cny]), 2) AS [cost|大科总费用_元]
        FROM [admission] AS a
        JOIN [department] AS d ON d.[dept_code] = a.[dept_code]
        JOIN [department] AS p ON p.[dept_code] = d.[parent_code]
        WHERE a.[discharged_at] IS NOT NULL
        GROUP BY p.[dept_code], p.[dept_name] ORDER BY SUM(a.[total_cost_cny]) DESC
        """,
        (Tag.JOIN3, Tag.SELF_JOIN, Tag.GROUP, Tag.NULL),
    ),
    Question(
        Words(
            "Which patients were admitted at least three times? Give patient number, name, number of stays and the "
            "total cost of those that have ended, in yuan rounded to two decimals (empty if none has ended), "
            "ordered by number of stays from most to fewest, then by patient number.",
            "哪些患者住院不少于3次？请给出患者编号、姓名、住院次数和其中已出院住院的总费用（元，保留两位小数；"
            "若均未出院则为空），按住院次数从多到少、再按患者编号升序排列。",
        ),
        """
        SELECT p.[patient_id], p.[patient_name], COUNT(*) AS [stays|住院次数],
               ROUND(SUM(a.[total_cost_cny]), 2) AS [cost|累计费用_元]
        FROM [patient] AS p JOIN [admission] AS a ON a.[patient_id] = p.[patient_id]
        GROUP BY p.[patient_id], p.[patient_name] HAVING COUNT(*) >= 3
        ORDER BY COUNT(*) DESC, p.[patient_id]
        """,
        (Tag.GROUP, Tag.HAVING, Tag.LEADING_ZERO),
    ),
    Question(
        Words(
            "What are the five most frequent principal diagnoses? Give ICD-10 code, disease name and number of "
            "stays, most frequent first; order equal numbers by code.",
            "最常见的五种主要诊断是什么？请给出疾病编码、疾病名称和住院次数，按住院次数从多到少排列；"
            "次数相同的按疾病编码升序排列。",
        ),
        """
        SELECT s.[icd_code], s.[disease_name], COUNT(*) AS [stays|住院次数]
        FROM [diagnosis] AS g JOIN [disease] AS s ON s.[icd_code] = g.[icd_code]
        WHERE g.[diagnosis_rank] = 1
        GROUP BY s.[icd_code], s.[disease_name] ORDER BY COUNT(*) DESC, s.[icd_code] LIMIT 5
        """,
        (Tag.GROUP, Tag.ORDER_LIMIT),
        _PRINCIPAL,
    ),
    Question(
        Words(
            "Which stays began within 30 days of the same patient's previous discharge? Give patient number, date of "
            "the previous discharge, date of the new admission and the calendar days between them, ordered by date "
            "of the new admission, then by patient number.",
            "哪些住院是患者在上一次出院后30天内再次入院？请给出患者编号、上次出院日期、本次入院日期和间隔天数"
            "（自然日），按本次入院日期、患者编号升序排列。",
        ),
        """
        WITH visits AS (
          SELECT [patient_id], date([admitted_at]) AS came,
                 LAG(date([discharged_at])) OVER (PARTITION BY [patient_id] ORDER BY [admitted_at]) AS left_before
          FROM [admission]
        )
        SELECT [patient_id], left_before AS [previous_discharge|上次出院日期], came AS [new_admission|本次入院日期],
               CAST(julianday(came) - julianday(left_before) AS INTEGER) AS [days|间隔天数]
        FROM visits WHERE julianday(came) - julianday(left_before) <= 30
        ORDER BY came, [patient_id]
        """,
        (Tag.CTE, Tag.WINDOW, Tag.DATE, Tag.LEADING_ZERO),
    ),
    Question(
        Words(
            "For each laboratory test, what percentage of the usable results of samples taken in 2024 lies above the "
            "upper limit of the reference range? Give test code, test name, number of usable results and percentage "
            "rounded to two decimals, highest percentage first; order equal percentages by test code.",
            "2024年采样的各检验项目，有效结果中高于参考上限的占比是多少？请给出项目代码、项目名称、有效结果数和占比"
            "（%，保留两位小数），按占比从高到低排列；占比相同的按项目代码升序排列。",
        ),
        """
        SELECT t.[test_code], t.[test_name], COUNT(r.[result_value]) AS [usable|有效结果数],
               ROUND(100.0 * SUM(CASE WHEN r.[result_value] > t.[upper_limit] THEN 1 ELSE 0 END)
                     / COUNT(r.[result_value]), 2) AS [above_pct|偏高占比_百分比]
        FROM [lab_result] AS r JOIN [lab_test] AS t ON t.[test_code] = r.[test_code]
        WHERE strftime('%Y', r.[sampled_date]) = '2024' AND r.[result_value] IS NOT NULL
        GROUP BY t.[test_code], t.[test_name]
        ORDER BY ROUND(100.0 * SUM(CASE WHEN r.[result_value] > t.[upper_limit] THEN 1 ELSE 0 END)
                       / COUNT(r.[result_value]), 2) DESC, t.[test_code]
        """,
        (Tag.GROUP, Tag.CASE, Tag.DATE, Tag.PERCENT, Tag.NULL, Tag.LEADING_ZERO, Tag.WIDE_CHARACTERS),
        Words("A result without a value is unusable.", "结果值为空表示样本不合格，视为无效。"),
    ),
    Question(
        Words(
            "List all results of the test Glycated hemoglobin in stays with the principal diagnosis Type 2 diabetes "
            "mellitus. Give stay number, patient number, sampling date and result in percent (empty if the sample "
            "was unusable), ordered by stay number and sampling date.",
            "请列出主要诊断为2型糖尿病的住院中糖化血红蛋白的全部检验结果，给出住院编号、患者编号、采样日期和结果值"
            "（%，样本不合格则为空），按住院编号、采样日期升序排列。",
        ),
        """
        SELECT a.[admission_id], a.[patient_id], r.[sampled_date], r.[result_value]
        FROM [lab_result] AS r
        JOIN [lab_test] AS t ON t.[test_code] = r.[test_code]
        JOIN [admission] AS a ON a.[admission_id] = r.[admission_id]
        JOIN [diagnosis] AS g ON g.[admission_id] = a.[admission_id]
        JOIN [disease] AS s ON s.[icd_code] = g.[icd_code]
        WHERE t.[test_name] = {Glycated hemoglobin} AND g.[diagnosis_rank] = 1
          AND s.[disease_name] = {Type 2 diabetes mellitus}
        ORDER BY a.[admission_id], r.[sampled_date]
        """,
        (Tag.JOIN3, Tag.LEADING_ZERO),
        _PRINCIPAL,
    ),
    Question(
        Words(
            "Which diseases were the principal diagnosis of a stay of a patient from Shanxi Province and also of one "
            "of a patient from Shaanxi Province? Give ICD-10 code and disease name, in any order.",
            "哪些疾病既是山西省患者某次住院的主要诊断，又是陕西省患者某次住院的主要诊断？请给出疾病编码和疾病名称，"
            "顺序不限。",
        ),
        """
        SELECT s.[icd_code], s.[disease_name]
        FROM [diagnosis] AS g
        JOIN [admission] AS a ON a.[admission_id] = g.[admission_id]
        JOIN [patient] AS p ON p.[patient_id] = a.[patient_id]
        JOIN [disease] AS s ON s.[icd_code] = g.[icd_code]
        WHERE g.[diagnosis_rank] = 1 AND p.[province] = {Shanxi Province}
        INTERSECT
        SELECT s.[icd_code], s.[disease_name]
        FROM [diagnosis] AS g
        JOIN [admission] AS a ON a.[admission_id] = g.[admission_id]
        JOIN [patient] AS p ON p.[patient_id] = a.[patient_id]
        JOIN [disease] AS s ON s.[icd_code] = g.[icd_code]
        WHERE g.[diagnosis_rank] = 1 AND p.[province] = {Shaanxi Province}
        """,
        (Tag.SET_OPERATION, Tag.JOIN3),
        _PRINCIPAL,
    ),
    Question(
        Words(
            "How many stays and what average cost in yuan (discharged stays only, rounded to two decimals) did each "
            "age group have? Age is in completed years at admission; groups are 0-17, 18-44, 45-64 and 65+. Give "
            "group, number of stays and average cost, youngest group first.",
            "各年龄组的住院次数和平均费用（元，仅计已出院住院，保留两位小数）分别是多少？年龄按入院时的周岁计算，"
            "分为0-17、18-44、45-64和65+四组。请给出年龄组、住院次数和平均费用，按年龄从小到大排列。",
        ),
        """
        WITH aged AS (
          SELECT a.[total_cost_cny], (CAST(strftime('%Y%m%d', a.[admitted_at]) AS INTEGER)
                 - CAST(strftime('%Y%m%d', p.[birth_date]) AS INTEGER)) / 10000 AS age
          FROM [admission] AS a JOIN [patient] AS p ON p.[patient_id] = a.[patient_id]
        ), grouped AS (
          SELECT CASE WHEN age < 18 THEN '0-17' WHEN age < 45 THEN '18-44' WHEN age < 65 THEN '45-64' ELSE '65+' END
                   AS age_group, [total_cost_cny]
          FROM aged
        )
        SELECT age_group AS [age_group|年龄组], COUNT(*) AS [stays|住院次数],
               ROUND(AVG([total_cost_cny]), 2) AS [average_cost|平均费用_元]
        FROM grouped GROUP BY age_group ORDER BY age_group
        """,
        (Tag.CTE, Tag.GROUP, Tag.CASE, Tag.DATE),
    ),
    Question(
        Words(
            "Give sex and blood type (empty if not tested) of every patient who lives in Shaanxi Province: one row a "
            "patient, repeated rows are kept, in any order.",
            "请列出居住在陕西省的每位患者的性别和血型（未检测则为空）：每位患者一行，重复的行予以保留，顺序不限。",
        ),
        "SELECT [sex], [blood_type] FROM [patient] WHERE [province] = {Shaanxi Province}",
        (Tag.DUPLICATES, Tag.NULL),
    ),
    Question(
        Words(
            "Among the drugs prescribed in stays in the charge of Li Ji, which cost more in total than the average "
            "of these drugs? Give drug name, number of packages and total cost in yuan, rounded to two decimals, "
            "highest cost first.",
            "在李𠮷主管的住院所开具的药品中，哪些药品的总金额高于这些药品总金额的平均值？请给出药品名称、总数量（盒）和"
            "总金额（元，保留两位小数），按总金额从高到低排列。",
        ),
        """
        WITH totals AS (
          SELECT d.[drug_code], d.[drug_name], SUM(r.[packages]) AS boxes,
                 SUM(r.[packages] * d.[unit_price_cny]) AS amount
          FROM [prescription] AS r
          JOIN [drug] AS d ON d.[drug_code] = r.[drug_code]
          JOIN [admission] AS a ON a.[admission_id] = r.[admission_id]
          JOIN [doctor] AS m ON m.[doctor_id] = a.[doctor_id]
          WHERE m.[doctor_name] = {Li Ji} GROUP BY d.[drug_code], d.[drug_name]
        )
        SELECT [drug_name], boxes AS [total_packages|总数量_盒], ROUND(amount, 2) AS [amount_cny|总金额_元]
        FROM totals WHERE amount > (SELECT AVG(amount) FROM totals) ORDER BY amount DESC
        """,
        (Tag.CTE, Tag.JOIN3, Tag.GROUP, Tag.SUBQUERY, Tag.WIDE_CHARACTERS),
    ),
)
