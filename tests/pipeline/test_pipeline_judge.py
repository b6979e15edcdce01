import pytest

from pipeline.content import Reason, Rejected
from pipeline.judge import judge
from pipeline.sources import open_source
from pipeline.stages.execute import Limits


def test_a_sample_that_changes_the_result_is_refused_with_both(corpus, shop, sandbox, tmp_path):
    corpus.ask("SELECT name FROM city")
    (instance,) = open_source(corpus.root).entries()
    sampled = tmp_path / "sampled.sqlite"
    sampled.write_bytes(shop.path.read_bytes().replace(b"Bern", b"Genf"))
    with pytest.raises(Rejected) as rejected:
        judge("task_1", instance, shop, lambda _: sampled, sandbox, Limits())
    assert rejected.value.reason is Reason.SAMPLE_CHANGES_RESULT
    assert "Bern" in rejected.value.evidence and "Genf" in rejected.value.evidence


def test_the_gold_reads_tables_that_are_named_as_the_database_spells_them(corpus, shop, sandbox):
    corpus.ask("SELECT count(*) FROM SHOP WHERE CITY IN (SELECT ID FROM City)")
    (instance,) = open_source(corpus.root).entries()
    judged = judge("task_1", instance, shop, lambda _: shop.path, sandbox, Limits())
    assert judged.tables == ("city", "shop") and judged.gold.rows == (("4",),)
