"""The 31 provincial regions of mainland China with their codes and seats, in both languages."""

from typing import NamedTuple

from pipeline.demo.model import Words


class Place(NamedTuple):
    """A province: two-digit code, its name, and the city that is its seat."""

    code: str
    province: Words
    city: Words

    @property
    def is_municipality(self) -> bool:
        """Whether the province is a city itself, directly under the central government."""
        return self.province.zh.endswith("市")


_TABLE = """
11 Beijing 北京市 Beijing|北京
12 Tianjin 天津市 Tianjin|天津
13 Hebei 河北省 Shijiazhuang|石家庄
14 Shanxi 山西省 Taiyuan|太原
15 Inner_Mongolia 内蒙古自治区 Hohhot|呼和浩特
21 Liaoning 辽宁省 Shenyang|沈阳
22 Jilin 吉林省 Changchun|长春
23 Heilongjiang 黑龙江省 Harbin|哈尔滨
31 Shanghai 上海市 Shanghai|上海
32 Jiangsu 江苏省 Nanjing|南京
33 Zhejiang 浙江省 Hangzhou|杭州
34 Anhui 安徽省 Hefei|合肥
35 Fujian 福建省 Fuzhou|福州
36 Jiangxi 江西省 Nanchang|南昌
37 Shandong 山东省 Ji'nan|济南
41 Henan 河南省 Zhengzhou|郑州
42 Hubei 湖北省 Wuhan|武汉
43 Hunan 湖南省 Changsha|长沙
44 Guangdong 广东省 Guangzhou|广州
45 Guangxi 广西壮族自治区 Nanning|南宁
46 Hainan 海南省 Haikou|海口
50 Chongqing 重庆市 Chongqing|重庆
51 Sichuan 四川省 Chengdu|成都
52 Guizhou 贵州省 Guiyang|贵阳
53 Yunnan 云南省 Kunming|昆明
54 Tibet 西藏自治区 Lhasa|拉萨
61 Shaanxi 陕西省 Xi'an|西安
62 Gansu 甘肃省 Lanzhou|兰州
63 Qinghai 青海省 Xining|西宁
64 Ningxia 宁夏回族自治区 Yinchuan|银川
65 Xinjiang 新疆维吾尔自治区 Urumqi|乌鲁木齐
"""

_KIND = {"市": "Municipality", "省": "Province", "区": "Autonomous Region"}


def _place(line: str) -> Place:
    code, en, zh, city = line.split()
    province = Words(f"{en.replace('_', ' ')} {_KIND[zh[-1]]}", zh)
    return Place(code, province, Words(*city.split("|")))


PLACES = tuple(_place(line) for line in _TABLE.strip().splitlines())

PLACE = {place.city.en: place for place in PLACES}
"""The places by the English name of their city."""
