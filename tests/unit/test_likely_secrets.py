"""What looks like a secret, and what does not."""

from __future__ import annotations

import pytest

from smriti_tui.domain.likely_secrets import fields_with, kind_of

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
)  # fmt: skip


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_is_noticed_wherever_it_stands(text: str) -> None:
    assert kind_of(text)
    assert kind_of(f"please use this:\n{text}\nand thanks")
    [(path, kind)] = fields_with({"a": [{"b": "no"}, {"c": text}]})
    assert path == "a[1].c"
    assert text not in kind


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_none_is_left_alone(text: str) -> None:
    assert kind_of(text) is None
