"""What looks like a secret, and what does not."""

from __future__ import annotations

import json
import time

import pytest

from smriti_tui.domain.likely_secrets import fields_with, kind_of, may_hold, secrets_in

SECRETS = (
    "sk-" + "proj-abcDEF0123456789abcDEF01",
    "key: sk-" + "ant-api03-AbCdEf0123456789AbCdEf",
    "ghp" + "_" + "a1B2" * 9,
    "github" + "_pat_" + "11ABCDEFG0" * 5,
    "glpat" + "-" + "aB3dE6gH9jK2mN5pQ8sT",
    "xoxb" + "-123456789012-abcdefABCDEF",
    "AKIA" + "IOSFODNN7ABCDEFG",
    "AIza" + "SyA-1234567890abcdefghijklmnopqrstu",
    "sk_live" + "_4eC39HqLyjWDarjtT1zdp7dc",
    "npm" + "_" + "a1B2" * 9,
    "hf" + "_" + "aBcD" * 9,
    "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nabc",
    "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "postgresql://ada:" + "S3cr3tW0rd@db.internal/app",
    'password = "' + 'kj3Hs8fQ2xLp"',
    "API_KEY=" + "9f8e7d6c5b4a3z2y1x",
)  # fmt: skip
HARMLESS = (
    "", "the password: required, at least eight characters", "password = ********",
    "api_key: YOUR_API_KEY_HERE_123", "API_KEY=${OPENAI_API_KEY}", "token = <your-token-1234567>",
    "sk-learn and sk-something", "task-id roll-out-2024-number-one-two",
    "risk-assessment-of-the-year-2024-q4",
    "AKIAAAA", "commit 9f8e7d6c5b4a39f8e7d6c5b4a39f8e7d6c5b4a3f", "https://ada@example.com/x",
    "http://localhost:8080/path@v1", "postgresql://user:password@localhost", "key: value",
    "secret = get_secret('db')", "ghp_short", "018f6b1e-2c3d-7a4b-8c5d-6e7f8a9b0c1d",
    "token: authentication", "the secret: never give up on anything", "api_key: optional_string",
    "sk-text-repr-fallback-container", "sk-estimator sk-toggleable__control-arrow",
    "sk-your-api-key-goes-here-1234", "sk-" + "x" * 30 + "1", "AKIA" + "IOSFODNN7EXAMPLE",
)  # fmt: skip


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_is_noticed_wherever_it_stands(text: str) -> None:
    assert kind_of(text)
    assert kind_of(f"please use this:\n{text}\nand thanks")
    [(path, kind)] = fields_with({"a": [{"b": "no"}, {"c": text}]})
    assert path == "a[1].c"
    assert text not in kind


@pytest.mark.parametrize("text", SECRETS)
def test_it_is_not_passed_over_in_a_payload_at_the_beginning_of_a_line(text: str) -> None:
    assert may_hold(json.dumps({"text": f"use:\n{text}\n"}))
    assert all(value in text for value in secrets_in(text))
    assert any(True for _ in secrets_in(f"use:\n{text}\n"))


def test_names_count_and_are_not_told_where_they_are_the_secret() -> None:
    key = "ghp" + "_" + "a1B2" * 9
    assert list(fields_with({"deep": {"db_password": "kj3Hs8fQ2xLp"}})) == [
        ("deep.db_password", "a password or key")
    ]
    assert list(fields_with({key: {"x": key}, "password": "required"})) == [
        ("*", "a GitHub token"), ("*.x", "a GitHub token")
    ]  # fmt: skip


HOSTILE = (
    "eyJa" * 250_000, "eyJabcdefghijkl " * 60_000, "secret:" * 140_000,
    "api_key = value, " * 60_000, "a" * 1_000_000 + "://", "-----BEGIN RSA " * 60_000 + "KEY-----",
    "sk-a " * 200_000, "sk-a_" * 200_000, "-----BEGIN " + "A " * 400_000 + "KEY-----",
    "://a:b" * 160_000,
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:12])
def test_no_text_takes_long(text: str) -> None:
    started = time.process_time()
    assert len(list(fields_with({"text": text}))) < 2
    assert time.process_time() - started < 1.5


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_none_is_left_alone(text: str) -> None:
    assert kind_of(text) is None
