"""The twelve questions of the stock domain with their gold SQL."""

from pipeline.demo.model import Question, Tag, Words

_CUMULATIVE = Words(
    "The figures of a report count from 1 January, so the report of 31 December holds the whole year.",
    "报告数据为年初至期末累计，12月31日的报告即全年数据。",
)

QUESTIONS = (
    Question(
        Words(
            "Which company issued the stock with code 000027? Give the full company name, the exchange, the board "
            "and the date it was listed.",
            "股票代码000027由哪家公司发行？请给出公司名称、交易所、上市板块和上市日期。",
        ),
        """
        SELECT c.[company_name], s.[exchange], s.[board], s.[listed_date]
        FROM [stock] AS s JOIN [listed_company] AS c ON c.[company_id] = s.[company_id]
        WHERE s.[stock_code] = '000027'
        """,
        (Tag.LEADING_ZERO,),
    ),
    Question(
        Words(
            "How many listed companies does each sector have, all its industries taken together? Give sector code, "
            "sector name and number, ordered by sector code; sectors are the industries without a parent.",
            "各一级行业（含其全部下级行业）分别有多少家上市公司？请给出行业代码、行业名称和公司数量，"
            "按行业代码升序排列；一级行业指没有上级行业的行业。",
        ),
        """
        WITH RECURSIVE tree AS (
          SELECT [industry_code] AS root, [industry_code] AS node FROM [industry] WHERE [parent_code] IS NULL
          UNION ALL
          SELECT t.root, i.[industry_code] FROM tree AS t JOIN [industry] AS i ON i.[parent_code] = t.node
        )
        SELECT r.[industry_code], r.[industry_name], COUNT(*) AS [companies|公司数量]
        FROM tree AS t
        JOIN [industry] AS r ON r.[industry_code] = t.root
        JOIN [listed_company] AS c ON c.[industry_code] = t.node
        GROUP BY r.[industry_code], r.[industry_name] ORDER BY r.[industry_code]
        """,
        (Tag.RECURSIVE, Tag.CTE, Tag.SET_OPERATION, Tag.JOIN3, Tag.GROUP, Tag.NULL, Tag.LEADING_ZERO),
    ),
    Question(
        Words(
            "List the closing price in yuan of every stock on the Shanghai Stock Exchange for every trading day in "
            "the data. Give stock code, date and closing price, ordered by stock code and date.",
            "请列出上海证券交易所每只股票在全部交易日的收盘价（元），给出股票代码、交易日期和收盘价，"
            "按股票代码、交易日期升序排列。",
        ),
        """
        SELECT q.[stock_code], q.[trade_date], q.[close_price]
        FROM [daily_quote] AS q JOIN [stock] AS s ON s.[stock_code] = q.[stock_code]
        WHERE s.[exchange] = {Shanghai Stock Exchange} ORDER BY q.[stock_code], q.[trade_date]
        """,
        (Tag.LARGE,),
    ),
    Question(
        Words(
            "Which ten daily falls in closing price were the steepest in 2024, measured in percent of the previous "
            "trading day's closing price? Give stock name, date and change in percent (negative), rounded to two "
            "decimals, steepest first; order equal rounded changes by date, then by stock code.",
            "2024年单日收盘价跌幅（相对前一交易日收盘价）最大的十次下跌是哪些？请给出股票简称、交易日期和涨跌幅"
            "（%，负数，保留两位小数），按跌幅从大到小排列；保留两位小数后相同的，依次按交易日期、股票代码升序排列。",
        ),
        """
        WITH moves AS (
          SELECT [stock_code], [trade_date], [close_price],
                 LAG([close_price]) OVER (PARTITION BY [stock_code] ORDER BY [trade_date]) AS previous
          FROM [daily_quote]
        )
        SELECT s.[stock_name], m.[trade_date],
               ROUND(100.0 * (m.[close_price] / m.previous - 1), 2) AS [change_pct|涨跌幅_百分比]
        FROM moves AS m JOIN [stock] AS s ON s.[stock_code] = m.[stock_code]
        WHERE m.[trade_date] BETWEEN '2024-01-01' AND '2024-12-31'
        ORDER BY ROUND(100.0 * (m.[close_price] / m.previous - 1), 2), m.[trade_date], m.[stock_code] LIMIT 10
        """,
        (Tag.CTE, Tag.WINDOW, Tag.ORDER_LIMIT, Tag.DATE, Tag.PERCENT),
    ),
    Question(
        Words(
            "Which companies registered in Shanxi Province or Shaanxi Province have more than half as many employees "
            "as the average listed company? Give company name, province and number of employees, most employees first.",
            "注册地在山西省或陕西省的上市公司中，员工人数超过全部上市公司平均值一半的有哪些？请给出公司名称、省份和"
            "员工人数，按员工人数从多到少排列。",
        ),
        """
        SELECT [company_name], [province], [employees] FROM [listed_company]
        WHERE [province] IN ({Shanxi Province}, {Shaanxi Province})
          AND [employees] > (SELECT AVG([employees]) / 2 FROM [listed_company])
        ORDER BY [employees] DESC
        """,
        (Tag.SUBQUERY,),
    ),
    Question(
        Words(
            "For which companies did the whole year's operating revenue grow by more than 15 percent from 2023 to "
            "2024? Give company name, industry name and growth in percent, rounded to two decimals, highest growth "
            "first.",
            "哪些公司2024年全年营业收入比2023年增长超过15%？请给出公司名称、行业名称和增长率（%，保留两位小数），"
            "按增长率从高到低排列。",
        ),
        """
        SELECT c.[company_name], i.[industry_name],
               ROUND(100.0 * (b.[revenue_100m_cny] / a.[revenue_100m_cny] - 1), 2) AS [growth_pct|增长率_百分比]
        FROM [financial_report] AS a
        JOIN [financial_report] AS b ON b.[company_id] = a.[company_id]
        JOIN [listed_company] AS c ON c.[company_id] = a.[company_id]
        JOIN [industry] AS i ON i.[industry_code] = c.[industry_code]
        WHERE a.[period_end] = '2023-12-31' AND b.[period_end] = '2024-12-31'
          AND b.[revenue_100m_cny] > 1.15 * a.[revenue_100m_cny]
        ORDER BY b.[revenue_100m_cny] / a.[revenue_100m_cny] DESC
        """,
        (Tag.JOIN3, Tag.SELF_JOIN, Tag.DATE, Tag.PERCENT),
        _CUMULATIVE,
    ),
    Question(
        Words(
            "Which shareholders stood in the register of a company from Shaanxi Province at 2023-12-31 but no longer "
            "in the register of the same company at 2024-12-31? Give company name and shareholder name, in any order.",
            "注册地在陕西省的公司中，哪些股东在2023-12-31登记在册，但在2024-12-31已不在同一公司的股东名册中？"
            "请给出公司名称和股东名称，顺序不限。",
        ),
        """
        SELECT c.[company_name], h.[holder_name]
        FROM [shareholding] AS s
        JOIN [listed_company] AS c ON c.[company_id] = s.[company_id]
        JOIN [shareholder] AS h ON h.[holder_id] = s.[holder_id]
        WHERE c.[province] = {Shaanxi Province} AND s.[report_date] = '2023-12-31'
        EXCEPT
        SELECT c.[company_name], h.[holder_name]
        FROM [shareholding] AS s
        JOIN [listed_company] AS c ON c.[company_id] = s.[company_id]
        JOIN [shareholder] AS h ON h.[holder_id] = s.[holder_id]
        WHERE c.[province] = {Shaanxi Province} AND s.[report_date] = '2024-12-31'
        """,
        (Tag.SET_OPERATION, Tag.JOIN3, Tag.DATE),
    ),
    Question(
        Words(
            "For the stock Fenhe Coal, give for each month of 2024 the total volume in 10,000 shares and the average "
            "daily turnover rate in percent, both rounded to two decimals; months as YYYY-MM, in order. Days of "
            "suspended trading do not count.",
            "股票汾河煤业2024年各月的总成交量（万股）和日均换手率（%）分别是多少（均保留两位小数）？"
            "月份写作YYYY-MM，按月份升序排列；停牌日不计入。",
        ),
        """
        SELECT strftime('%Y-%m', q.[trade_date]) AS [month|月份],
               ROUND(SUM(q.[volume_10k_shares]), 2) AS [total_volume_10k_shares|总成交量_万股],
               ROUND(AVG(q.[turnover (%)]), 2) AS [average_turnover_pct|日均换手率_百分比]
        FROM [daily_quote] AS q JOIN [stock] AS s ON s.[stock_code] = q.[stock_code]
        WHERE s.[stock_name] = {Fenhe Coal} AND strftime('%Y', q.[trade_date]) = '2024'
        GROUP BY strftime('%Y-%m', q.[trade_date]) ORDER BY strftime('%Y-%m', q.[trade_date])
        """,
        (Tag.GROUP, Tag.DATE),
    ),
    Question(
        Words(
            "Which stocks had at least three days of suspended trading in 2024? Give stock code, stock name, number "
            "of such days, the first and the last of them, ordered by stock code.",
            "2024年停牌不少于3个交易日的股票有哪些？请给出股票代码、股票简称、停牌天数、首个停牌日和最后停牌日，"
            "按股票代码升序排列。",
        ),
        """
        SELECT s.[stock_code], s.[stock_name], COUNT(*) AS [days|停牌天数],
               MIN(q.[trade_date]) AS [first_day|首个停牌日], MAX(q.[trade_date]) AS [last_day|最后停牌日]
        FROM [daily_quote] AS q JOIN [stock] AS s ON s.[stock_code] = q.[stock_code]
        WHERE q.[volume_10k_shares] IS NULL AND q.[trade_date] BETWEEN '2024-01-01' AND '2024-12-31'
        GROUP BY s.[stock_code], s.[stock_name] HAVING COUNT(*) >= 3 ORDER BY s.[stock_code]
        """,
        (Tag.GROUP, Tag.HAVING, Tag.NULL, Tag.DATE),
        Words("A day without a volume is a day of suspended trading.", "成交量为空的交易日即为停牌日。"),
    ),
    Question(
        Words(
            "What was the cash dividend yield of each dividend of at least 2 percent, on the closing price of its "
            "ex-dividend date? Give stock code, stock name, ex-dividend date and yield in percent, rounded to two "
            "decimals, ordered by ex-dividend date and stock code.",
            "以除息日收盘价计算，股息率不低于2%的历次现金分红，其股息率分别是多少？请给出股票代码、股票简称、"
            "除息日和股息率（%，保留两位小数），按除息日、股票代码升序排列。",
        ),
        """
        SELECT s.[stock_code], s.[stock_name], d.[ex_date],
               ROUND(100.0 * d.[cash_per_10_shares_cny] / 10 / q.[close_price], 2) AS [yield_pct|股息率_百分比]
        FROM [cash_dividend] AS d
        JOIN [daily_quote] AS q ON q.[stock_code] = d.[stock_code] AND q.[trade_date] = d.[ex_date]
        JOIN [stock] AS s ON s.[stock_code] = d.[stock_code]
        WHERE 100.0 * d.[cash_per_10_shares_cny] / 10 / q.[close_price] >= 2
        ORDER BY d.[ex_date], s.[stock_code]
        """,
        (Tag.JOIN3, Tag.PERCENT),
        Words(
            "Yield = cash a share / closing price; the table gives the cash for ten shares.",
            "股息率=每股派息/收盘价；表中为每10股派息。",
        ),
    ),
    Question(
        Words(
            "Who were the three largest shareholders, at 2024-12-31, of the company whose chairman is Chen Xi? Give "
            "company name, shareholder name, type of shareholder and share of all shares in percent, largest first.",
            "董事长为陈㐂的公司，在2024-12-31持股比例最高的三名股东是谁？请给出公司名称、股东名称、股东类型和持股比例"
            "（%），按持股比例从高到低排列。",
        ),
        """
        SELECT c.[company_name], h.[holder_name], h.[holder_type], s.[ratio_pct]
        FROM [shareholding] AS s
        JOIN [listed_company] AS c ON c.[company_id] = s.[company_id]
        JOIN [shareholder] AS h ON h.[holder_id] = s.[holder_id]
        WHERE c.[chairman] = {Chen Xi} AND s.[report_date] = '2024-12-31'
        ORDER BY s.[ratio_pct] DESC LIMIT 3
        """,
        (Tag.JOIN3, Tag.ORDER_LIMIT, Tag.DATE, Tag.WIDE_CHARACTERS),
    ),
    Question(
        Words(
            "For every cash dividend in 2024, give the exchange of the stock and the month of the ex-dividend date as "
            "YYYY-MM: one row a dividend, repeated rows are kept, in any order.",
            "请列出2024年每次现金分红对应的交易所和除息月份（YYYY-MM）：每次分红一行，重复的行予以保留，顺序不限。",
        ),
        """
        SELECT s.[exchange], strftime('%Y-%m', d.[ex_date]) AS [month|除息月份]
        FROM [cash_dividend] AS d JOIN [stock] AS s ON s.[stock_code] = d.[stock_code]
        WHERE strftime('%Y', d.[ex_date]) = '2024'
        """,
        (Tag.DUPLICATES, Tag.DATE),
    ),
)
