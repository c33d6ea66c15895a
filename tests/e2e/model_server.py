"""A loopback server that speaks OpenAI's completions interface, well or badly, and counts what it is asked.

    with ModelServer(tokenizer_json) as server:      # server.url, server.asked (prompts in order of arrival)

`fault` is a function of (handler, body) that answers a completion its own way; `models` one of (handler) for GET.
"""
import http.server
import json
import threading

import tokenizers

NAME = "echo"


class ModelServer:
    def __init__(self, tokenizer_json, answer=lambda prompt: " none", fault=None, models=None, delay=0.0):
        self.tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer_json))
        self.answer, self.fault, self.models, self.delay = answer, fault, models, delay
        self.asked = []
        self.paths = []
        self.lock = threading.Lock()
        self.ending = threading.Event()  # set at the end: whatever waits on purpose goes on

    def __enter__(self):
        outer = self

        class Handler(_Handler):
            server_of_test = outer

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass  # a killed client is what these tests are about

        self.http = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.http.shutdown()
        self.http.server_close()

    def count(self, text: str) -> int:
        return len(self.tokenizer.encode(text).ids)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of_test: ModelServer

    def log_message(self, *_):
        pass

    def send(self, status: int, body, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def begin_stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def event(self, data):
        self.wfile.write(f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode())
        self.wfile.flush()

    def do_GET(self):
        test = self.server_of_test
        test.paths.append(self.path)
        if test.models:
            return test.models(self)
        if not self.path.endswith("/models"):
            return self.send(404, {"error": {"message": "no such path"}})
        return self.send(200, {"object": "list", "data": [{"id": NAME, "object": "model", "owned_by": "tests", "max_model_len": 65536}]})

    def do_POST(self):
        test = self.server_of_test
        test.paths.append(self.path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/completions"):
            return self.send(404, {"error": {"message": "no such path"}})
        with test.lock:
            test.asked.append(body.get("prompt", body))
        if test.fault:
            return test.fault(self, body)
        test.ending.wait(test.delay)
        return self.stream(body, test.count(body["prompt"]))

    def stream(self, body, prompt_tokens: int):
        text = self.server_of_test.answer(body["prompt"])
        base = {"id": "c", "object": "text_completion", "model": NAME}
        self.begin_stream()
        for piece in (text[:3], text[3:]):
            self.event({**base, "choices": [{"index": 0, "text": piece, "finish_reason": None}]})
        self.event({**base, "choices": [{"index": 0, "text": "", "finish_reason": "stop"}]})
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": 2, "total_tokens": prompt_tokens + 2}
        self.event({**base, "choices": [], "usage": usage})
        self.event("[DONE]")
