"""What is shipped for operators agrees with the code: image, compose file, unit, dashboard, alerts and manual."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from typing import Any

import pytest
import yaml
from helpers import HERE

from wellies.server.metrics import Metrics
from wellies.server.settings import HELP, PREFIX, Settings

ROOT = HERE.parent
DEPLOY = ROOT / "deploy"
OPERATION = ROOT / "docs" / "operation.md"
sys.path.append(str(ROOT / "scripts"))

from container_build import BuildTrouble, Stage, make_ignore, parse  # noqa: E402


def project_version() -> str:
    version: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return version


def pins(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.M))


def metric_names() -> set[str]:
    """The names that Prometheus stores."""
    metrics = Metrics()
    metrics.request(200)
    metrics.slot = 0
    samples = {sample.name for family in metrics.collect() for sample in family.samples}
    return {name for name in samples if not name.endswith("_created")}


def used_metrics(text: str) -> set[str]:
    return set(re.findall(r"\bwellies_[a-z_]+", text))


# --- image ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    return parse((ROOT / "Dockerfile").read_text(encoding="utf-8"))


def _given(stage: Stage, word: str) -> str:
    return next(step.rest for step in stage.steps if step.word == word)


def test_the_image_does_not_run_as_root_and_stops_on_a_signal(stages: list[Stage]) -> None:
    last = stages[-1]
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", _given(last, "USER"))
    # The form with brackets: the server itself gets the signal, not a shell.
    assert json.loads(_given(last, "ENTRYPOINT")) + json.loads(_given(last, "CMD")) == ["wellies", "serve"]
    assert json.loads(_given(last, "HEALTHCHECK").partition("CMD")[2])[0] == "python3"
    installed = " ".join(step.rest for step in last.steps if step.word == "RUN")
    assert "gcc" not in installed
    assert f'version="{project_version()}"' in _given(last, "LABEL")


def test_the_image_sets_only_settings_that_there_are(stages: list[Stage]) -> None:
    names = re.findall(r"\bWELLIES_([A-Z_]+)=", _given(stages[-1], "ENV"))
    assert {name.lower() for name in names} <= set(Settings.__struct_fields__)
    assert names


def test_the_build_sees_what_it_copies_and_nothing_private(stages: list[Stage]) -> None:
    ignored = make_ignore((ROOT / ".dockerignore").read_text(encoding="utf-8"))
    for stage in stages:
        for step in stage.steps:
            if step.word == "COPY" and "--from" not in step.rest:
                *sources, _target = step.rest.split()
                for source in sources:
                    assert (ROOT / source).exists(), source
                    assert not ignored(source), source
    assert not ignored("src/wellies/server/run.py")
    assert not ignored("web/src/main.ts")
    for private in (
        ".env",
        ".git/config",
        "web/node_modules/x/index.js",
        "src/wellies/core/state.cpython-311-x86_64-linux-gnu.so",
        "src/wellies/__pycache__/x.pyc",
        "src/wellies/server/page/index.html",
        "backups/today.backup",
    ):
        assert ignored(private), private


def test_a_dockerfile_that_is_not_understood_is_refused() -> None:
    with pytest.raises(BuildTrouble, match="before FROM"):
        parse("RUN true\n")
    with pytest.raises(BuildTrouble, match="not understood"):
        parse("FROM a b c d\n")


@pytest.mark.parametrize("name", ["requirements-server.lock", "requirements-build.lock"])
def test_the_image_has_the_versions_that_are_tested(name: str) -> None:
    everything = pins("requirements.lock")
    assert pins(name)
    assert {package: everything.get(package) for package in pins(name)} == pins(name)


def test_the_tools_that_compile_the_image_are_those_of_the_project() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert {re.split("[<>=]", each)[0] for each in wanted} <= set(pins("requirements-build.lock"))


# --- compose ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return found


def test_every_service_is_locked_down_and_has_a_health_check(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        ours = service["image"].startswith("wellies:")
        assert ours or "healthcheck" in service, name
        assert service["restart"] == ("no" if name == "tools" else "unless-stopped"), name
        for other, condition in service.get("depends_on", {}).items():
            assert other in compose["services"]
            assert condition == {"condition": "service_healthy"}


def test_compose_uses_the_image_of_this_version_and_settings_that_there_are(compose: dict[str, Any]) -> None:
    for name in ("wellies1", "wellies2"):
        service = compose["services"][name]
        assert service["image"] == f"wellies:{project_version()}"
        settings = {key.removeprefix(PREFIX).lower() for key in service["environment"]}
        assert settings <= set(Settings.__struct_fields__)
    network = compose["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert compose["services"]["wellies1"]["environment"]["WELLIES_TRUSTED_PROXIES"] == network


def test_every_variable_of_compose_is_explained_in_the_example(compose: dict[str, Any]) -> None:
    used = set(re.findall(r"\$\{([A-Z_]+)", json.dumps(compose)))
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert used == set(re.findall(r"^([A-Z_]+)=", example, re.M))
    # None has a value that somebody could forget to change.
    assert re.findall(r"^[A-Z_]*(?:PASSWORD|SECRET)=(.+)$", example, re.M) == []


def test_the_proxy_knows_the_servers_of_compose(compose: dict[str, Any]) -> None:
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    servers = set(re.findall(r"\bserver (\S+):8000\b", text))
    assert servers == {name for name in compose["services"] if name.startswith("wellies")}
    assert "listen 8080;" in text
    assert compose["services"]["proxy"]["ports"] == ["${WELLIES_PUBLISH:-8080}:8080"]


# --- systemd ----------------------------------------------------------------------------------------------------------


def test_systemd_understands_the_unit_and_finds_it_safe() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("not needed: systemd-analyze is not here")
    unit = DEPLOY / "wellies.service"
    checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    complaints = [line for line in checked.stderr.splitlines() if line and "is not executable" not in line]
    assert [line for line in complaints if "wellies.service" in line] == []
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert rated.returncode == 0, rated.stdout[-300:]


# --- dashboard and alerts ---------------------------------------------------------------------------------------------


def test_the_dashboard_shows_metrics_that_there_are_and_all_of_them() -> None:
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    used: set[str] = set()
    for panel in panels:
        for target in panel["targets"]:
            used |= used_metrics(target["expr"])
    assert used <= metric_names()
    families = {re.sub("_(bucket|count|sum)$", "", name) for name in metric_names()}
    assert {re.sub("_(bucket|count|sum)$", "", name) for name in used} == families
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])


def test_no_two_panels_lie_on_each_other() -> None:
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    taken: set[tuple[int, int]] = set()
    for panel in dashboard["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert at["x"] + at["w"] <= 24
        taken |= cells


def test_the_alerts_use_metrics_that_there_are_and_are_in_the_manual() -> None:
    groups = yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    manual = OPERATION.read_text(encoding="utf-8")
    rules = [rule for group in groups for rule in group["rules"]]
    assert len(rules) > 5
    for rule in rules:
        assert used_metrics(rule["expr"]) <= metric_names(), rule["alert"]
        assert f"`{rule['alert']}`" in manual
        assert rule["annotations"]["action"]


def test_prometheus_understands_the_alerts() -> None:
    program = shutil.which("promtool")
    if program is None:
        pytest.skip("not needed: promtool is not here")
    subprocess.run([program, "check", "rules", DEPLOY / "alerts.yml"], check=True, capture_output=True)


# --- manual -----------------------------------------------------------------------------------------------------------


def test_every_setting_is_in_the_manual() -> None:
    manual = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    table = manual.partition("## Settings")[2].partition("\n## ")[0]
    listed = set(re.findall(r"`([a-z_]+)`", "\n".join(re.findall(r"^\| ([^|]*) \|", table, re.M))))
    assert listed == set(Settings.__struct_fields__) == set(HELP)


def test_every_metric_is_in_the_manual() -> None:
    manual = OPERATION.read_text(encoding="utf-8").partition("### Metrics")[2].partition("\n## ")[0]
    families = {re.sub("_(bucket|count|sum)$", "", name) for name in metric_names()}
    assert used_metrics(manual) == families


def test_every_file_that_the_manual_names_is_there() -> None:
    manual = OPERATION.read_text(encoding="utf-8")
    for name in re.findall(r"`((?:deploy|scripts|docs)/[\w./-]+)", manual):
        assert (ROOT / name).exists(), name
