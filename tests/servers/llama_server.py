#!/usr/bin/env python3
"""Starts llama.cpp's own HTTP server on loopback and prints its address, for end-to-end tests.

    llama_server.py MODEL.gguf [--port N] [--window TOKENS] [--threads N] [--slots N]

Needs the Python package xllamacpp (`./dev setup` fetches it). The first line of standard output is
"http://127.0.0.1:PORT"; the server ends with standard input or a signal.
"""
import argparse
import socket
import sys

import xllamacpp


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main() -> None:
    parser = argparse.ArgumentParser(description="llama.cpp's server on loopback, for tests")
    parser.add_argument("model")
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--window", type=int, default=4096, help="tokens, for each slot")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--slots", type=int, default=1)
    args = parser.parse_args()

    params = xllamacpp.CommonParams()
    params.model.path = args.model
    params.hostnames = ["127.0.0.1"]
    params.port = args.port or free_port()
    params.n_ctx = args.window * args.slots
    params.n_parallel = args.slots
    params.cpuparams.n_threads = args.threads
    params.cpuparams_batch.n_threads = args.threads
    # Prompts in the same steps as fathom's engine, nothing kept between them: the order of sums, and so the answers, are then the same
    # but for what two builds of llama.cpp round differently.
    params.n_batch = params.n_ubatch = 256
    params.cache_prompt = False
    params.n_ctx_checkpoints = 0
    params.verbosity = -1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
