"""Messages over pipes, whole or not at all, and limits that a process keeps to."""

import os
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.processes.guard import read, write
from pfe.processes.headroom import headroom
from pfe.processes.pipes import Silence, receive, send
from pfe.processes.report import report


@given(st.lists(st.binary(max_size=500), max_size=5))
def test_messages_come_through_in_their_order(messages: list[bytes]) -> None:
    hear, tell = os.pipe()
    for message in messages:
        write(tell, message)
        send(tell, message, time.monotonic())
    os.close(tell)
    for message in messages:
        assert receive(hear, time.monotonic(), 500) == message
        assert read(hear) == message
    assert read(hear) == b""
    os.close(hear)


def test_a_message_larger_than_a_pipe_is_read_while_it_is_written() -> None:
    hear, tell = os.pipe()
    message = os.urandom(1 << 20)
    writer = threading.Thread(target=send, args=(tell, message, time.monotonic() + 60))
    writer.start()
    assert receive(hear, time.monotonic() + 60, len(message)) == message
    writer.join()
    os.close(hear)
    os.close(tell)


def test_half_a_message_and_none_are_silence_and_too_long_a_one_is_refused() -> None:
    hear, tell = os.pipe()
    began = time.monotonic()
    with pytest.raises(Silence):
        receive(hear, began + 0.2, 100)
    assert time.monotonic() - began >= 0.2
    write(tell, bytes(101))
    with pytest.raises(ValueError, match="longer than 100 bytes"):
        receive(hear, time.monotonic(), 100)
    os.close(hear)
    with pytest.raises(Silence):
        send(tell, b"a", time.monotonic() + 60)
    os.close(tell)
    hear, tell = os.pipe()
    os.write(tell, (5).to_bytes(8, "little") + b"half")
    os.close(tell)
    with pytest.raises(Silence):
        receive(hear, time.monotonic() + 60, 100)
    os.close(hear)


def test_a_message_that_nobody_reads_is_silence() -> None:
    hear, tell = os.pipe()
    with pytest.raises(Silence):
        send(tell, bytes(1 << 20), time.monotonic() + 0.2)
    os.close(hear)
    os.close(tell)


@pytest.mark.parametrize("account", ["", "refused", "0 0", "0 0 0.1", "0 a 0.1 0.1", "0 0 0.1 0.1 0.1"])
def test_what_is_no_account_is_refused(account: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        report(account, b"", 1)


def test_what_asks_for_more_than_its_headroom_fails_and_the_process_goes_on() -> None:
    with pytest.raises(MemoryError), headroom(1 << 26):
        bytes(1 << 28)
    assert len(bytes(1 << 28)) == 1 << 28
