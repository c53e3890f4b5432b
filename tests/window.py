"""The app once in a real window on a virtual screen: open, PageDown through all tabs by real key events, a picture of
each that is not blank, a clean exit. Run by ``.ci/run``; needs Xvfb and xdotool."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image, ImageChops, ImageGrab

from core.lessons import IDS

SIZE = (1920, 1080)


def main() -> int:
    for tool in ("Xvfb", "xdotool"):
        if shutil.which(tool) is None:
            print(f"{tool} is missing: apt-get install -y xvfb xdotool")
            return 3
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as answer:
        display = f":{answer.readline().strip()}"
    try:
        with tempfile.TemporaryDirectory() as folder:
            return drive(display, Path(folder))
    finally:
        server.terminate()
        server.wait()


def drive(display: str, folder: Path) -> int:
    environment = {**os.environ, "DISPLAY": display, "VOLVELLE_STATE_DIR": str(folder)}
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    app = subprocess.Popen(
        [sys.executable, "-m", "gui", "--fresh"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )

    def xdotool(*words: str) -> str:
        done = subprocess.run(["xdotool", *words], env=environment, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    window = ""
    for _ in range(200):
        window = (xdotool("search", "--onlyvisible", "--name", "Volvelle").splitlines() or [""])[0]
        if window or app.poll() is not None:
            break
        time.sleep(0.1)
    assert window, f"no window: {app.communicate(timeout=10)[0].decode()}"
    xdotool("windowfocus", "--sync", window)
    shots: list[Image.Image] = []
    log = folder / "volvelle.log"
    for lesson_id in IDS:
        shot = settled(display, shots[-1] if shots else None)
        assert not log.exists(), log.read_text(encoding="utf-8")
        colours = shot.convert("RGB").getcolors(1 << 24) or []
        largest = max(count for count, _ in colours) / (SIZE[0] * SIZE[1])
        assert len(colours) > 50, f"{lesson_id}: {len(colours)} colours"
        assert largest < 0.97, f"{lesson_id}: blank"
        shots.append(shot)
        print(f"{lesson_id}: {len(colours)} colours")
        xdotool("key", "--window", "0", "Next")
    xdotool("key", "--window", "0", "ctrl+q")
    try:
        output = app.communicate(timeout=20)[0].decode()
    except subprocess.TimeoutExpired:
        app.kill()
        raise AssertionError("the app did not close") from None
    assert app.returncode == 0, f"exit code {app.returncode}: {output}"
    assert output == "", output
    print(f"{len(shots)} tabs in a real window, clean exit")
    return 0


def settled(display: str, before: Image.Image | None) -> Image.Image:
    """A picture that differs from the last tab's and stands still."""
    last = None
    for _ in range(150):
        time.sleep(0.1)
        shot = ImageGrab.grab(xdisplay=display)
        still = last is not None and shot.tobytes() == last.tobytes()
        new = before is None or differs(shot, before)
        if still and new and len(shot.convert("RGB").getcolors(1 << 24) or []) > 50:
            return shot
        last = shot
    assert last is not None
    assert before is None or differs(last, before), "PageDown did not change the stage"
    return last


def differs(shot: Image.Image, before: Image.Image) -> bool:
    """Whether another stage is shown: more than the rail has changed, at a hundredth of all pixels or more."""
    changed = ImageChops.difference(shot.convert("L"), before.convert("L")).point(lambda value: 255 * (value > 8))
    stage = changed.crop((SIZE[0] // 4, SIZE[1] // 8, SIZE[0], SIZE[1]))
    return stage.histogram()[255] > 0.01 * stage.width * stage.height


if __name__ == "__main__":
    sys.exit(main())
