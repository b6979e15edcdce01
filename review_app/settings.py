"""Settings, read once from the environment. Every variable is documented here and in docs/running.md."""

from functools import cache
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Frozen settings. Variables carry the prefix DATASPACE_, but for DATABASE_URL and PORT."""

    model_config = SettingsConfigDict(env_prefix="DATASPACE_", frozen=True, populate_by_name=True)

    var: Path = Field(Path("var"), description="Folder for everything the system stores.")
    database_url: str = Field("", validation_alias="DATABASE_URL", description="Empty: SQLite below var.")
    port: int = Field(8501, validation_alias="PORT", description="Port of the web process.")
    address: str = Field("127.0.0.1", description="Address the web process listens on.")
    lease_hours: float = Field(24, gt=0, description="How long a seat is kept for an expert who does not seal.")
    max_open_seats: int = Field(3, ge=1, description="How many unfinished tasks an expert may hold.")
    max_rechecks: int = Field(3, ge=1, description="Objections after which a lead must remove or start afresh.")
    guidelines: str = Field("1", description="Version of the guidelines; copied into each assignment.")
    sign_in_hours: float = Field(12, gt=0, description="How long a sign-in lasts.")
    worker: str = Field("worker-1", description="Stable name of this worker; each worker needs its own.")
    secure_cookie: bool = Field(False, description="Set it behind HTTPS: the sign-in cookie is then HTTPS only.")

    @property
    def database(self) -> str:
        """The database's address."""
        return self.database_url or f"sqlite:///{(self.var / 'review.db').absolute()}"

    @property
    def worker_database(self) -> str:
        """Where the durable workflows of the worker keep their state."""
        return self.database_url or f"sqlite:///{(self.var / 'worker.db').absolute()}"

    @property
    def blobs(self) -> Path:
        """Folder of content-addressed files."""
        return self.var / "blobs"

    @property
    def workspaces(self) -> Path:
        """Folder of loaded workspaces. It may be emptied at any time: they are loaded anew."""
        return self.var / "workspaces"

    @property
    def corpora(self) -> Path:
        """Folder of corpora that a page may ask to build, one folder each."""
        return self.var / "corpora"

    @property
    def candidates(self) -> Path:
        """Folder of built candidates that a page may ask to import, one folder each."""
        return self.var / "candidates"

    @property
    def releases(self) -> Path:
        """Folder that releases asked for on a page are written to."""
        return self.var / "releases"


@cache
def settings() -> Settings:
    """The settings of this process."""
    return Settings()
