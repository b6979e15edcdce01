"""Industries, companies and shareholders of the stock domain, all invented."""

_INDUSTRIES = """
01 Energy 能源
0101 Coal 煤炭
0102 Electric_Power 电力
02 Materials 原材料
0201 Paper 造纸
0202 Steel 钢铁
03 Consumer_Goods 消费
0301 Liquor 白酒
0302 Food 食品
0303 Home_Appliances 家用电器
04 Health_Care 医药卫生
0401 Pharmaceuticals 制药
0402 Medical_Devices 医疗器械
05 Information_Technology 信息技术
0501 Software 软件
0502 Optoelectronics 光电子
06 Finance 金融
0601 Banking 银行
0602 Brokerage 证券
07 Transport 交通运输
0701 Ports 港口
0702 Automobiles 汽车
"""

_COMPANIES = """
Guanzhong_Power 关中电力 Xi'an 0102
Fenhe_Coal 汾河煤业 Taiyuan 0101
Jinyang_Steel 晋阳钢铁 Taiyuan 0202
Chang'an_Motor_Parts 长安汽配 Xi'an 0702
Yandu_Bank 燕都银行 Beijing 0601
Pujiang_Ports 浦江港务 Shanghai 0701
Pujiang_Securities 浦江证券 Shanghai 0602
West_Lake_Software 西湖软件 Hangzhou 0501
Minjiang_Paper 闽江纸业 Fuzhou 0201
Jinjiang_Liquor 锦江酒业 Chengdu 0301
Longmen_Foods 龙门食品 Zhengzhou 0302
Zhongshan_Pharma 钟山制药 Nanjing 0401
Star_101_Optics 星辰１０１光电 Wuhan 0502
Haihe_Steel 海河钢铁 Tianjin 0202
Qilu_Foods 齐鲁食品 Ji'nan 0302
Songhua_Power 松花电力 Harbin 0102
Lushan_Medical 庐山医疗 Nanchang 0402
Dianchi_Pharma 滇池制药 Kunming 0401
Yuelu_Software 岳麓软件 Changsha 0501
Liaohe_Motor 辽河汽车 Shenyang 0702
Qinling_Pharma 秦岭制药 Xi'an 0401
Taihang_Coal 太行煤业 Taiyuan 0101
Pearl_Electric 明珠电器 Guangzhou 0303
Lingnan_Foods 岭南食品 Guangzhou 0302
Donghu_Optics 东湖光电 Wuhan 0502
Jialing_Motor 嘉陵汽车 Chongqing 0702
Helan_Paper 贺兰纸业 Yinchuan 0201
Qianling_Liquor 黔灵酒业 Guiyang 0301
Chaohu_Medical 巢湖医疗 Hefei 0402
Lijiang_Power 漓江电力 Nanning 0102
Tianshan_Steel 天山钢铁 Urumqi 0202
Qiongzhou_Software 琼州软件 Haikou 0501
"""

_HOLDERS = """
1 Sanjiang_State_Capital 三江国有资本
1 Guanzhong_State_Assets 关中国资
1 Fenhe_Holdings 汾河控股
1 Central_Energy_Group 中原能源集团
1 Binhai_Development 滨海发展
2 Huayue_Growth_Fund 华岳成长基金
2 Xinghe_Value_Fund 星河价值基金
2 CSI_300_Tracker_Fund 沪深３００指数基金
2 Lanting_Income_Fund 兰亭红利基金
3 Evergreen_Life 长青人寿
3 Pacific_Harbor_Insurance 沧海保险
3 Great_Wall_Mutual 长垣互助保险
"""

INDUSTRIES = tuple(_INDUSTRIES.strip().splitlines())
"""Code, English name, Chinese name."""

COMPANIES = tuple(_COMPANIES.strip().splitlines())
"""English name, Chinese name, city, industry; the first twenty are listed in Shanghai, the rest in Shenzhen."""

HOLDERS = tuple(_HOLDERS.strip().splitlines())
"""Place of the type among the types of shareholders (from 0), English name, Chinese name."""
