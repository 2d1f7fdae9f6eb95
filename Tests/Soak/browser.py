# SPDX-License-Identifier: MIT
"""A headless Chromium with the page open, controlled by the HTTP part of its developer tools."""
import http.client, json, os, shutil, signal, subprocess, time, urllib.parse


class Browser:
    def __init__(self, folder, url):
        self.url, self.folder, self.reloads, self.failures = url, os.path.join(folder, "browser"), 0, []
        self.tab, self.asked = None, 0
        self.process = subprocess.Popen(
            ["nice", "-n", "20", shutil.which("chromium"), "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--remote-debugging-port=0", "--user-data-dir=" + self.folder, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.port = int(self.wait_for_port())

    def wait_for_port(self):
        path = os.path.join(self.folder, "DevToolsActivePort")
        for _ in range(600):
            if os.path.exists(path) and (lines := open(path).read().split()):
                return lines[0]
            time.sleep(0.1)
        raise AssertionError("Chromium does not start")

    def ask(self, method, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path)
        data = connection.getresponse().read()
        connection.close()
        return data

    def reload(self):
        """Opens the page in a new tab, and closes the previous tab."""
        previous = self.tab
        self.tab = json.loads(self.ask("PUT", "/json/new?" + urllib.parse.quote(self.url, safe="")))["id"]
        if previous:
            self.ask("GET", "/json/close/" + previous)
        self.reloads, self.asked = self.reloads + 1, time.time()

    def check(self, receiver):
        """Returns whether the page shows a fix of its receiver within half a minute."""
        titles = [one["title"] for one in json.loads(self.ask("GET", "/json/list")) if one["id"] == self.tab]
        if time.time() > self.asked + 30 and receiver.isSettled and not any("fix" in title for title in titles):
            self.failures.append(f"the page says {titles}")

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
