"""The demo's healthcare domain: departments, doctors, patients, stays, diagnoses, laboratory, prescriptions."""
# ruff: noqa: E501  (a column is one line, so that a table reads as a table)

from collections.abc import Iterator
from datetime import date as Date
from datetime import datetime, timedelta
from random import Random
from typing import NamedTuple

from pipeline.demo.health_questions import QUESTIONS
from pipeline.demo.model import Cell, Domain, Rows, Table, Words, choice, date, moment, number, real, text
from pipeline.demo.people import people
from pipeline.demo.places import PLACE, PLACES

TITLES = (
    Words("Resident", "住院医师"),
    Words("Attending", "主治医师"),
    Words("Associate chief", "副主任医师"),
    Words("Chief", "主任医师"),
)
SEXES = (Words("Male", "男"), Words("Female", "女"))
OUTCOMES = (Words("Recovered", "治愈"), Words("Improved", "好转"), Words("Transferred", "转院"), Words("Died", "死亡"))

# fmt: off
TABLES = (
    Table(Words("department", "科室"), (
        text("dept_code", "科室代码", "two digits for a division, three for a department; leading zeros kept", "大科两位、专科三位，保留前导零", key=True),
        text("dept_name", "科室名称", "name of the division or department", "科室名称"),
        text("parent_code", "上级科室代码", "division of a department; empty for a division", "专科所属的大科，大科为空", refers="department"),
    )),
    Table(Words("doctor", "医生"), (
        number("doctor_id", "医生编号", "number of the doctor", "医生编号", key=True),
        text("doctor_name", "医生姓名", "name of the doctor", "医生姓名"),
        choice("title", "职称", "professional title", "职称", TITLES),
        text("dept_code", "科室代码", "department of the doctor", "所在科室代码", refers="department"),
        date("hired_date", "入职日期", "first day at the hospital", "入职日期"),
    )),
    Table(Words("patient", "患者"), (
        text("patient_id", "患者编号", "six-digit number, leading zeros kept", "六位患者编号，保留前导零", key=True),
        text("patient_name", "患者姓名", "name of the patient", "患者姓名"),
        choice("sex", "性别", "sex", "性别", SEXES),
        date("birth_date", "出生日期", "date of birth", "出生日期"),
        text("blood_type", "血型", "A, B, AB or O; empty if not tested", "A、B、AB或O，未检测为空"),
        text("province", "省份", "province of residence", "居住地省份"),
        text("city", "城市", "city of residence", "居住地城市"),
    )),
    Table(Words("admission", "住院"), (
        number("admission_id", "住院编号", "number of the stay", "住院编号", key=True),
        text("patient_id", "患者编号", "patient", "患者编号", refers="patient"),
        text("dept_code", "科室代码", "department of the stay", "住院科室代码", refers="department"),
        number("doctor_id", "医生编号", "doctor in charge", "主管医生编号", refers="doctor"),
        moment("admitted_at", "入院时间", "time of admission", "入院时间"),
        moment("discharged_at", "出院时间", "time of discharge; empty while in hospital", "出院时间，仍在院为空"),
        choice("outcome", "出院情况", "outcome of the stay; empty while in hospital", "出院情况，仍在院为空", OUTCOMES),
        real("total_cost_cny", "总费用_元", "cost of the stay, yuan; empty while in hospital", "住院总费用，单位：元；仍在院为空"),
        moment("cancelled_at", "撤销时间", "time at which the stay was cancelled; empty if it was not", "住院登记撤销时间，未撤销为空"),
    )),
    Table(Words("disease", "疾病"), (
        text("icd_code", "疾病编码", "three-character ICD-10 code", "ICD-10三位编码", key=True),
        text("disease_name", "疾病名称", "name of the disease", "疾病名称"),
    )),
    Table(Words("diagnosis", "诊断"), (
        number("admission_id", "住院编号", "stay", "住院编号", key=True, refers="admission"),
        number("diagnosis_rank", "诊断序号", "1 is the principal diagnosis, the others are secondary", "1为主要诊断，其余为次要诊断", key=True),
        text("icd_code", "疾病编码", "disease", "疾病编码", refers="disease"),
    )),
    Table(Words("lab_test", "检验项目"), (
        text("test_code", "项目代码", "four-digit code, leading zeros kept", "四位代码，保留前导零", key=True),
        text("test_name", "项目名称", "name of the test", "检验项目名称"),
        text("unit", "计量单位", "unit of the results", "结果计量单位"),
        real("lower_limit", "参考下限", "lower limit of the reference range; empty if there is none", "参考范围下限，没有则为空"),
        real("upper_limit", "参考上限", "upper limit of the reference range", "参考范围上限"),
    )),
    Table(Words("lab_result", "检验结果"), (
        number("admission_id", "住院编号", "stay", "住院编号", key=True, refers="admission"),
        text("test_code", "项目代码", "test", "项目代码", key=True, refers="lab_test"),
        date("sampled_date", "采样日期", "day the sample was taken", "采样日期", key=True),
        real("result_value", "结果值", "result in the unit of the test; empty if the sample was unusable", "检验结果，单位见检验项目；样本不合格为空"),
    )),
    Table(Words("drug", "药品"), (
        text("drug_code", "药品代码", "five-digit code, leading zeros kept", "五位代码，保留前导零", key=True),
        text("drug_name", "药品名称", "name and form of the drug", "药品名称及剂型"),
        real("unit_price_cny", "单价_元", "price of one package, yuan", "每盒（支）价格，单位：元"),
    )),
    Table(Words("prescription", "处方"), (
        number("prescription_id", "处方编号", "number of the prescription", "处方编号", key=True),
        number("admission_id", "住院编号", "stay", "住院编号", refers="admission"),
        text("drug_code", "药品代码", "drug", "药品代码", refers="drug"),
        date("prescribed_date", "开具日期", "day it was written", "处方开具日期"),
        number("packages", "数量_盒", "number of packages", "数量，单位：盒（支）"),
    )),
)
# fmt: on

_DEPARTMENTS = (
    ("01", Words("Internal Medicine", "内科"), None),
    ("011", Words("Cardiology", "心血管内科"), "01"),
    ("012", Words("Endocrinology", "内分泌科"), "01"),
    ("013", Words("Respiratory Medicine", "呼吸内科"), "01"),
    ("014", Words("Neurology", "神经内科"), "01"),
    ("02", Words("Surgery", "外科"), None),
    ("021", Words("General Surgery", "普通外科"), "02"),
    ("022", Words("Orthopedics", "骨科"), "02"),
    ("03", Words("Pediatrics", "儿科"), None),
    ("031", Words("General Pediatrics", "普通儿科"), "03"),
)
_DISEASES = (
    ("A09", Words("Infectious gastroenteritis", "感染性胃肠炎")),
    ("E05", Words("Thyrotoxicosis", "甲状腺毒症")),
    ("E11", Words("Type 2 diabetes mellitus", "2型糖尿病")),
    ("G40", Words("Epilepsy", "癫痫")),
    ("I10", Words("Essential hypertension", "原发性高血压")),
    ("I25", Words("Chronic ischemic heart disease", "慢性缺血性心脏病")),
    ("I50", Words("Heart failure", "心力衰竭")),
    ("I63", Words("Cerebral infarction", "脑梗死")),
    ("J18", Words("Pneumonia", "肺炎")),
    ("J20", Words("Acute bronchitis", "急性支气管炎")),
    ("J44", Words("Chronic obstructive pulmonary disease", "慢性阻塞性肺疾病")),
    ("K35", Words("Acute appendicitis", "急性阑尾炎")),
    ("K80", Words("Cholelithiasis", "胆石症")),
    ("M17", Words("Osteoarthritis of the knee", "膝关节骨关节炎")),
    ("S72", Words("Fracture of the femur", "股骨骨折")),
)
# department: share of the patients, its principal diagnoses
_WARDS = {
    "011": (24, ("I10", "I25", "I50")),
    "012": (18, ("E11", "E11", "E05")),
    "013": (16, ("J18", "J44")),
    "014": (12, ("I63", "G40")),
    "021": (12, ("K35", "K80")),
    "022": (10, ("M17", "S72")),
    "031": (12, ("J18", "J20", "A09")),
}
_SECONDARY = ("E11", "I10", "I25", "J44", "M17")

_TESTS = (
    ("0101", Words("White blood cell count", "白细胞计数"), "10^9/L", 3.5, 9.5),
    ("0102", Words("Hemoglobin", "血红蛋白"), "g/L", 115.0, 175.0),
    ("0103", Words("Platelet count", "血小板计数"), "10^9/L", 125.0, 350.0),
    ("0201", Words("Fasting glucose", "空腹血糖"), "mmol/L", 3.9, 6.1),
    ("0202", Words("Glycated hemoglobin", "糖化血红蛋白"), "%", 4.0, 6.0),
    ("0203", Words("Total cholesterol", "总胆固醇"), "mmol/L", 2.8, 5.2),
    ("0301", Words("Creatinine", "肌酐"), "μmol/L", 41.0, 97.0),
    ("0302", Words("Alanine aminotransferase", "丙氨酸氨基转移酶"), "U/L", 7.0, 50.0),
    ("0303", Words("Potassium", "血钾"), "mmol/L", 3.5, 5.3),
    ("0401", Words("C-reactive protein", "Ｃ反应蛋白"), "mg/L", None, 8.0),
)
_SUGAR = ("0201", "0202")

_DRUGS = (
    ("00121", Words("Metformin tablets", "二甲双胍片"), 18.6),
    ("00135", Words("Insulin glargine injection", "甘精胰岛素注射液"), 69.5),
    ("00208", Words("Amlodipine tablets", "氨氯地平片"), 12.4),
    ("00214", Words("Atorvastatin tablets", "阿托伐他汀片"), 24.9),
    ("00227", Words("Aspirin tablets", "阿司匹林片"), 9.8),
    ("00233", Words("Furosemide tablets", "呋塞米片"), 6.5),
    ("00319", Words("Amoxicillin capsules", "阿莫西林胶囊"), 14.2),
    ("00324", Words("Ceftriaxone injection", "头孢曲松注射液"), 21.0),
    ("00418", Words("Omeprazole capsules", "奥美拉唑胶囊"), 16.8),
    ("00512", Words("Vitamin B12 injection", "维生素Ｂ１２注射液"), 3.6),
    ("00607", Words("Salbutamol inhaler", "沙丁胺醇吸入剂"), 32.0),
    ("00711", Words("Levetiracetam tablets", "左乙拉西坦片"), 58.3),
)

_SNAPSHOT = datetime(2025, 1, 1)  # the data end with 2024
_LAST_ADMISSION = datetime(2024, 12, 28)  # so that what follows an admission within days is in 2024 too


class _Patient(NamedTuple):
    """A row of the table `patient`."""

    id: str
    name: Words
    sex: Words
    born: str
    blood: str | None
    province: Words
    city: Words


class _Stay(NamedTuple):
    """A row of the table `admission`."""

    id: int
    patient: str
    dept: str
    doctor: int
    admitted: str
    discharged: str | None
    outcome: Words | None
    cost: float | None
    cancelled: None

    def days(self) -> int:
        """Return the number of nights until discharge, or until the data end."""
        end = datetime.fromisoformat(self.discharged) if self.discharged else _SNAPSHOT
        return (end - datetime.fromisoformat(self.admitted)).days


def rows(random: Random) -> Rows:
    """Return the rows of all tables of the hospital, drawn from `random`."""
    names = people(random, 28 + 320)
    doctors = [_doctor(random, position, name) for position, name in enumerate(names[:28])]
    wards = random.choices(list(_WARDS), [share for share, _ in _WARDS.values()], k=320)
    patients = [_patient(random, position, ward, names[28 + position]) for position, ward in enumerate(wards)]
    stays = [stay for patient, ward in zip(patients, wards, strict=True) for stay in _stays(random, patient, ward)]
    stays = [stay._replace(id=20001 + position) for position, stay in enumerate(sorted(stays, key=_admission_order))]
    diagnoses = [row for stay in stays for row in _diagnoses(random, stay)]
    diabetic = {admission for admission, _, code in diagnoses if code == "E11"}
    scripts = [row for stay in stays for row in _prescriptions(random, stay)]
    return {
        "department": list(_DEPARTMENTS),
        "doctor": list(doctors),
        "patient": list(patients),
        "admission": list(stays),
        "disease": list(_DISEASES),
        "diagnosis": list(diagnoses),
        "lab_test": list(_TESTS),
        "lab_result": [row for stay in stays for row in _results(random, stay, stay.id in diabetic)],
        "drug": list(_DRUGS),
        "prescription": [(50001 + position, *row) for position, row in enumerate(scripts)],
    }


def _doctor(random: Random, position: int, name: Words) -> tuple[Cell, ...]:
    """Four doctors a department, one of each title."""
    hired = Date(random.randint(1998, 2021), random.randint(1, 12), random.randint(1, 28))
    return 301 + position, name, TITLES[position % 4], list(_WARDS)[position // 4], str(hired)


def _patient(random: Random, position: int, ward: str, name: Words) -> _Patient:
    year = random.randint(2010, 2022) if ward == "031" else round(random.triangular(1934, 2004, 1958))
    born = Date(year, 1, 1) + timedelta(days=random.randrange(365))
    place = PLACE["Xi'an"] if random.random() < 0.4 else random.choice([PLACE["Taiyuan"], *PLACES])
    blood = None if random.random() < 0.08 else random.choices(("A", "B", "AB", "O"), (28, 30, 9, 33))[0]
    return _Patient(
        f"{27 + 31 * position:06d}", name, random.choice(SEXES), str(born), blood, place.province, place.city
    )


def _stays(random: Random, patient: _Patient, ward: str) -> Iterator[_Stay]:
    """One to four stays of a patient in one department; some patients are back within a month."""
    admitted = datetime(2023, 1, 2) + timedelta(minutes=random.randrange(700 * 24 * 60))
    first_doctor = 301 + 4 * list(_WARDS).index(ward)
    for _ in range(random.choices((1, 2, 3, 4), (70, 18, 8, 4))[0]):
        discharged = admitted + _whole_minutes(2 + random.lognormvariate(1.7, 0.6))
        doctor = first_doctor + random.randrange(4)
        if discharged >= _SNAPSHOT:
            yield _Stay(0, patient.id, ward, doctor, str(admitted), None, None, None, None)
            return
        outcome = random.choices(OUTCOMES, (45, 48, 4, 3))[0]
        cost = round(1800 + (discharged - admitted).days * random.uniform(500, 1900), 2)
        yield _Stay(0, patient.id, ward, doctor, str(admitted), str(discharged), outcome, cost, None)
        admitted = discharged + _whole_minutes(3 + random.lognormvariate(4, 1))
        if outcome.en == "Died" or admitted >= _LAST_ADMISSION:
            return


def _whole_minutes(days: float) -> timedelta:
    return timedelta(minutes=round(days * 24 * 60))


def _admission_order(stay: _Stay) -> tuple[str, str]:
    return stay.admitted, stay.patient


def _diagnoses(random: Random, stay: _Stay) -> list[tuple[int, int, str]]:
    principal = random.choice(_WARDS[stay.dept][1])
    others = [code for code in _SECONDARY if code != principal]
    count = 0 if stay.dept == "031" else random.choices((0, 1, 2), (4, 4, 2))[0]
    codes = [principal, *random.sample(others, count)]
    return [(stay.id, rank, code) for rank, code in enumerate(codes, 1)]


def _results(random: Random, stay: _Stay, diabetic: bool) -> Iterator[tuple[Cell, ...]]:
    """Five tests at admission and again on another day, unless the stay was too short."""
    first = Date.fromisoformat(stay.admitted[:10])
    again = first + timedelta(days=max(1, stay.days() // 2))
    for code, _, _, low, high in sorted(random.sample(_TESTS, 5)):
        middle = ((low or 0.5) + high) / 2
        raised = 1.45 if diabetic and code in _SUGAR else 1.0
        for day in (first, again):
            value = round(middle * raised * random.lognormvariate(0, 0.22), 1)
            yield stay.id, code, str(day), (None if random.random() < 0.03 else value)


def _prescriptions(random: Random, stay: _Stay) -> Iterator[tuple[Cell, ...]]:
    first = Date.fromisoformat(stay.admitted[:10])
    for code, _, _ in sorted(random.sample(_DRUGS, random.randint(1, 4)), key=lambda drug: drug[0]):
        day = first + timedelta(days=random.randint(0, max(0, min(3, stay.days()))))
        yield stay.id, code, str(day), random.randint(1, 6)


HEALTH = Domain("health", "healthcare", TABLES, rows, QUESTIONS)
