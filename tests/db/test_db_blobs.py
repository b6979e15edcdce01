import hashlib
import subprocess
import sys
import textwrap

import pytest

from db.blobs import BlobError, Blobs


@pytest.fixture
def blobs(tmp_path):
    return Blobs(tmp_path / "blobs")


def files_below(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_blob_comes_back_by_its_digest(blobs):
    digest = blobs.put(b"gold")
    assert digest == hashlib.sha256(b"gold").hexdigest()
    assert blobs.read(digest) == b"gold"


def test_storing_twice_keeps_one_file(blobs, tmp_path):
    source = tmp_path / "f"
    source.write_bytes(b"gold")
    assert blobs.put(b"gold") == blobs.put_file(source)
    assert len(files_below(blobs.folder)) == 1


def test_a_damaged_blob_is_not_handed_out(blobs):
    digest = blobs.put(b"gold")
    path = blobs.path(digest)
    path.chmod(0o644)
    path.write_bytes(b"g0ld")
    with pytest.raises(BlobError, match="damaged"):
        blobs.read(digest)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "x" * 64, "A" * 64])
def test_only_digests_name_blobs(blobs, name):
    with pytest.raises(BlobError, match="no blob"):
        blobs.path(name)


def test_a_missing_blob_is_named(blobs):
    with pytest.raises(BlobError, match="0000"):
        blobs.read("0" * 64)


def test_a_refused_write_leaves_nothing_behind(tmp_path):
    """The limit on a file's size makes a real write fail, as a full disk does."""
    script = textwrap.dedent("""
        import resource, signal, sys
        from pathlib import Path
        from db.blobs import BlobError, Blobs
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            Blobs(Path(sys.argv[1])).put(b"x" * 5000)
        except BlobError as error:
            print(error)
    """)
    folder = tmp_path / "blobs"
    said = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True)
    assert "free space" in said.stdout
    assert files_below(folder) == []
