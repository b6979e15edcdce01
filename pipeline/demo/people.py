"""People's names whose Latin and Chinese forms belong together one to one."""

from random import Random

from pipeline.demo.model import Words

_SURNAMES = (
    "Wang/王 Li/李 Zhang/张 Liu/刘 Chen/陈 Yang/杨 Zhao/赵 Huang/黄 Zhou/周 Wu/吴 Xu/徐 Sun/孙 Ma/马 Zhu/朱 "
    "Hu/胡 Guo/郭 He/何 Gao/高 Lin/林 Luo/罗 Zheng/郑 Liang/梁 Xie/谢 Song/宋 Tang/唐 Han/韩 Feng/冯 Deng/邓 "
    "Cao/曹 Peng/彭 Zeng/曾 Xiao/肖 Tian/田 Dong/董 Yuan/袁 Pan/潘 Ouyang/欧阳"
)

_GIVEN = (
    "Wei/伟 Fang/芳 Min/敏 Jing/静 Lei/磊 Yang/洋 Jun/军 Jie/杰 Juan/娟 Tao/涛 Ming/明 Chao/超 Xia/霞 "
    "Ping/平 Gang/刚 Ting/婷 Bo/波 Peng/鹏 Xuan/萱 Zihan/子涵 Yuxuan/宇轩 Haoran/浩然 Xinyi/欣怡 Yichen/奕辰 "
    "Mengjie/梦洁 Jianguo/建国 Guoqiang/国强 Xiaoming/晓明 Siyuan/思远 Wenbo/文博 Yating/雅婷 Zhiyuan/志远 "
    "Ruoxi/若曦 Jiahui/嘉慧 Shan/珊"
)

SURNAMES = tuple(Words(*pair.split("/")) for pair in _SURNAMES.split())
GIVEN = tuple(Words(*pair.split("/")) for pair in _GIVEN.split())

RARE = (Words("Li Ji", "李𠮷"), Words("Chen Xi", "陈㐂"), Words("Zhang Yan", "张䶮"))
"""Names with characters outside the common sets; 𠮷 needs four bytes in UTF-8."""


def people(random: Random, count: int) -> list[Words]:
    """Return `count` different names, the rare ones first."""
    every = [Words(f"{s.en} {g.en}", s.zh + g.zh) for s in SURNAMES for g in GIVEN]
    return [*RARE, *random.sample(every, count - len(RARE))]
