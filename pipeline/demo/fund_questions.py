"""The twelve questions of the fund domain with their gold SQL."""

from pipeline.demo.model import Question, Tag, Words

QUESTIONS = (
    Question(
        Words(
            "For the fund with code 000017, give its full name, its type, the date it was set up and its annual "
            "management fee in percent.",
            "基金代码为000017的基金，其基金名称、基金类型、设立日期和年管理费率（%）分别是什么？",
        ),
        "SELECT [fund_name], [fund_type], [inception_date], [management_fee_pct] FROM [fund] "
        "WHERE [fund_code] = '000017'",
        (Tag.LEADING_ZERO,),
    ),
    Question(
        Words(
            "For each fund type, how many funds are there and what is their total size in 100 million yuan, rounded "
            "to two decimals? Give type, number and total size, largest total size first.",
            "每种基金类型各有多少只基金，总规模是多少亿元（保留两位小数）？请给出基金类型、基金数量和总规模，"
            "按总规模从大到小排列。",
        ),
        """
        SELECT [fund_type], COUNT(*) AS [funds|基金数量], ROUND(SUM([scale_100m_cny]), 2) AS [total_scale|总规模_亿元]
        FROM [fund] GROUP BY [fund_type] ORDER BY SUM([scale_100m_cny]) DESC
        """,
        (Tag.GROUP,),
    ),
    Question(
        Words(
            "Who is currently managing funds of companies registered in Shaanxi Province? Give the manager's name, "
            "the fund code and the company's short name, ordered by fund code.",
            "注册地在陕西省的基金公司，其旗下基金目前分别由谁管理？请给出经理姓名、基金代码和公司名称，"
            "按基金代码升序排列。",
        ),
        """
        SELECT m.[manager_name], f.[fund_code], c.[company_name]
        FROM [fund_tenure] AS t
        JOIN [fund_manager] AS m ON m.[manager_id] = t.[manager_id]
        JOIN [fund] AS f ON f.[fund_code] = t.[fund_code]
        JOIN [fund_company] AS c ON c.[company_code] = f.[company_code]
        WHERE c.[province] = {Shaanxi Province} AND t.[tenure_end] IS NULL
        ORDER BY f.[fund_code]
        """,
        (Tag.JOIN3, Tag.NULL),
        Words("A tenure without an end date is still running.", "离任日期为空表示目前仍在任。"),
    ),
    Question(
        Words(
            "Which fund companies manage at least four funds? Give company code, company name, number of funds and "
            "the plain average of their management fees in percent, rounded to two decimals, by company code.",
            "哪些基金公司管理的基金不少于4只？请给出公司代码、公司名称、基金数量以及这些基金管理费率的简单平均值"
            "（%，保留两位小数），按公司代码升序排列。",
        ),
        """
        SELECT c.[company_code], c.[company_name], COUNT(*) AS [funds|基金数量],
               ROUND(AVG(f.[management_fee_pct]), 2) AS [average_fee_pct|平均管理费率_百分比]
        FROM [fund_company] AS c JOIN [fund] AS f ON f.[company_code] = c.[company_code]
        GROUP BY c.[company_code], c.[company_name] HAVING COUNT(*) >= 4 ORDER BY c.[company_code]
        """,
        (Tag.GROUP, Tag.HAVING, Tag.LEADING_ZERO),
    ),
    Question(
        Words(
            "Which five funds had the highest return of the unit net asset value from 2023-12-29 to 2024-12-27? Give "
            "fund code, fund name and the return in percent, rounded to two decimals, highest first; order equal "
            "rounded returns by fund code.",
            "从2023-12-29到2024-12-27，单位净值收益率最高的五只基金是哪些？请给出基金代码、基金名称和收益率"
            "（%，保留两位小数），按收益率从高到低排列；保留两位小数后收益率相同的按基金代码升序排列。",
        ),
        """
        WITH r AS (
          SELECT a.[fund_code], ROUND(100.0 * (b.[unit_nav] / a.[unit_nav] - 1), 2) AS [return_pct|收益率_百分比]
          FROM [fund_nav] AS a JOIN [fund_nav] AS b ON b.[fund_code] = a.[fund_code]
          WHERE a.[nav_date] = '2023-12-29' AND b.[nav_date] = '2024-12-27'
        )
        SELECT f.[fund_code], f.[fund_name], r.[return_pct|收益率_百分比]
        FROM r JOIN [fund] AS f ON f.[fund_code] = r.[fund_code]
        ORDER BY r.[return_pct|收益率_百分比] DESC, f.[fund_code] LIMIT 5
        """,
        (Tag.CTE, Tag.SELF_JOIN, Tag.JOIN3, Tag.ORDER_LIMIT, Tag.DATE, Tag.PERCENT),
        Words(
            "Return = unit value at the end / unit value at the start - 1; dividends are not added back.",
            "收益率=期末单位净值/期初单位净值-1，不还原分红。",
        ),
    ),
    Question(
        Words(
            "What is the largest fund of each company by size at the end of 2024? Give company code, fund code, fund "
            "name and size in 100 million yuan, ordered by company code; if two funds of a company are equally "
            "large, list both.",
            "各基金公司2024年末规模最大的基金是哪只？请给出公司代码、基金代码、基金名称和规模（亿元），"
            "按公司代码升序排列；若同一公司有并列最大的基金，则全部列出。",
        ),
        """
        SELECT f.[company_code], f.[fund_code], f.[fund_name], f.[scale_100m_cny] FROM [fund] AS f
        WHERE f.[scale_100m_cny] =
              (SELECT MAX(g.[scale_100m_cny]) FROM [fund] AS g WHERE g.[company_code] = f.[company_code])
        ORDER BY f.[company_code], f.[fund_code]
        """,
        (Tag.SUBQUERY, Tag.LEADING_ZERO),
    ),
    Question(
        Words(
            "Which funds set up before 2022-01-01 have no dividend in the data? Give fund code and fund name, "
            "ordered by fund code.",
            "2022-01-01之前设立的基金中，哪些没有任何分红数据？请给出基金代码和基金名称，按基金代码升序排列。",
        ),
        """
        SELECT f.[fund_code], f.[fund_name] FROM [fund] AS f
        WHERE f.[inception_date] < '2022-01-01'
          AND NOT EXISTS (SELECT 1 FROM [fund_dividend] AS d WHERE d.[fund_code] = f.[fund_code])
        ORDER BY f.[fund_code]
        """,
        (Tag.SUBQUERY, Tag.DATE, Tag.WIDE_CHARACTERS),
    ),
    Question(
        Words(
            "For every fund set up in the years 2018 to 2020, give its risk level and the province of its company: "
            "one row a fund, repeated rows are kept, in any order.",
            "请列出2018年至2020年设立的每只基金的风险等级及其管理公司所在省份：每只基金一行，重复的行予以保留，"
            "顺序不限。",
        ),
        """
        SELECT f.[risk_level], c.[province]
        FROM [fund] AS f JOIN [fund_company] AS c ON c.[company_code] = f.[company_code]
        WHERE CAST(strftime('%Y', f.[inception_date]) AS INTEGER) BETWEEN 2018 AND 2020
        """,
        (Tag.DUPLICATES, Tag.DATE),
    ),
    Question(
        Words(
            "At the report date 2024-12-31, which stocks are held by at least ten funds? Give stock code, stock name, "
            "number of funds and total market value held in 100 million yuan, rounded to two decimals, ordered by "
            "number of funds from most to fewest, then by stock code.",
            "在2024-12-31报告期，被至少10只基金持有的股票有哪些？请给出股票代码、股票名称、持有基金数和合计持仓市值"
            "（亿元，保留两位小数），按持有基金数从多到少、再按股票代码升序排列。",
        ),
        """
        SELECT [stock_code], [stock_name], COUNT(*) AS [funds|持有基金数],
               ROUND(SUM([market_value_10k_cny]) / 10000.0, 2) AS [value_100m_cny|合计持仓市值_亿元]
        FROM [fund_holding] WHERE [report_date] = '2024-12-31'
        GROUP BY [stock_code], [stock_name] HAVING COUNT(*) >= 10
        ORDER BY COUNT(*) DESC, [stock_code]
        """,
        (Tag.GROUP, Tag.HAVING, Tag.DATE, Tag.LEADING_ZERO),
        Words("100 million yuan = 10,000 times 10,000 yuan.", "1亿元=10000万元。"),
    ),
    Question(
        Words(
            "What percentage of the total size of all funds does each company manage? Give company name and "
            "percentage, rounded to two decimals, largest first; leave out companies without a fund.",
            "各基金公司管理的规模占全部基金总规模的百分比是多少？请给出公司名称和占比（%，保留两位小数），"
            "按占比从大到小排列；没有基金的公司不列出。",
        ),
        """
        SELECT c.[company_name],
               ROUND(100.0 * SUM(f.[scale_100m_cny]) / (SELECT SUM([scale_100m_cny]) FROM [fund]), 2)
                 AS [share_pct|规模占比_百分比]
        FROM [fund_company] AS c JOIN [fund] AS f ON f.[company_code] = c.[company_code]
        GROUP BY c.[company_code], c.[company_name] ORDER BY SUM(f.[scale_100m_cny]) DESC
        """,
        (Tag.GROUP, Tag.SUBQUERY, Tag.PERCENT),
    ),
    Question(
        Words(
            "For each quarter of 2024, how many funds did not publish their redemptions, and what were the net "
            "subscriptions (subscriptions minus redemptions) of the funds that did, in 100 million units rounded to "
            "two decimals? Give report date, number and net subscriptions, by date.",
            "2024年各季度，未披露赎回份额的基金有多少只？已披露的基金净申购份额（申购减赎回）合计是多少亿份"
            "（保留两位小数）？请给出报告期、未披露基金数和净申购份额，按报告期升序排列。",
        ),
        """
        SELECT [report_date],
               SUM(CASE WHEN [redemption_100m_units] IS NULL THEN 1 ELSE 0 END) AS [unpublished|未披露基金数],
               ROUND(SUM([subscription_100m_units] - [redemption_100m_units]), 2) AS [net_units|净申购份额_亿份]
        FROM [fund_flow] WHERE [report_date] BETWEEN '2024-01-01' AND '2024-12-31'
        GROUP BY [report_date] ORDER BY [report_date]
        """,
        (Tag.GROUP, Tag.NULL, Tag.CASE, Tag.DATE),
    ),
    Question(
        Words(
            "List the weekly net asset values in 2024 of all funds that Li Ji manages at present. Give fund code, "
            "date, unit net asset value and accumulated net asset value in yuan (empty where there is none), ordered "
            "by fund code and date.",
            "请列出李𠮷目前管理的所有基金在2024年的每周净值，给出基金代码、净值日期、单位净值和累计净值"
            "（元，没有则为空），按基金代码、净值日期升序排列。",
        ),
        """
        SELECT n.[fund_code], n.[nav_date], n.[unit_nav], n.[accumulated_nav]
        FROM [fund_nav] AS n
        JOIN [fund_tenure] AS t ON t.[fund_code] = n.[fund_code]
        JOIN [fund_manager] AS m ON m.[manager_id] = t.[manager_id]
        WHERE m.[manager_name] = {Li Ji} AND t.[tenure_end] IS NULL AND strftime('%Y', n.[nav_date]) = '2024'
        ORDER BY n.[fund_code], n.[nav_date]
        """,
        (Tag.JOIN3, Tag.DATE, Tag.NULL, Tag.WIDE_CHARACTERS),
        Words("A tenure without an end date is still running.", "离任日期为空表示目前仍在任。"),
    ),
)
