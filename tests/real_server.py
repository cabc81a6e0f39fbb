"""A real `transformers serve` of a small model, for tests that ask one."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

TEMPLATE = "{% for message in messages %}{{ message.content }}\n{% endfor %}"


@dataclass(frozen=True)
class Real:
    """`transformers serve` as a process of its own."""

    url: str
    folder: str
    log: Path

    def asked(self) -> int:
        return self.log.read_text().count("POST /v1/")


@pytest.fixture(scope="module")
def real(
    model_folder: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Real, Callable[[], None]]]:
    from transformers import AutoModelForCausalLM, AutoTokenizer  # imported here because it takes seconds

    folder = tmp_path_factory.mktemp("served")
    AutoModelForCausalLM.from_pretrained(model_folder("llama"), trust_remote_code=False).save_pretrained(folder)
    tokenizer: Any = AutoTokenizer.from_pretrained(model_folder("llama"), trust_remote_code=False)
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = folder / "serve.log"
    command = [str(Path(sys.executable).with_name("transformers")), "serve", str(folder)]
    with log.open("w") as out:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"],
            stdout=out, stderr=out, env=os.environ | {"HF_HUB_OFFLINE": "1"}, start_new_session=True,
        )  # fmt: skip

    def stop() -> None:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    try:
        _wait(f"http://127.0.0.1:{port}/health", process, log)
        yield Real(f"http://127.0.0.1:{port}/v1", str(folder), log), stop
    finally:
        stop()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for _ in range(600):
        assert process.poll() is None, log.read_text()[-2000:]
        try:
            with opener.open(url, timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text()[-2000:])
