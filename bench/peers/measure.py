"""Times variants of one job side by side on a GPU: interleaved rounds with idle gaps, cold and sustained, with intervals.

A variant is a name and a function that launches its work on torch's current stream. `cold` is the median over rounds of the
median of a few launches, each behind a flush of the L2; before a variant's turn the GPU is idle for a moment, and the order
of the variants changes from round to round, so that no one profits from a cool chip. `sustained` is the mean of many
back-to-back launches behind a warm-up, again in turns. Ratios are taken round by round, against the reference of the same
round; the interval is the 95 % interval of their median by resampling (fixed seed).
"""

import random
import statistics
import time

import torch

FLUSH_BYTES = 256 << 20


class Times:
    """Milliseconds of one variant, one number a round."""

    def __init__(self):
        self.cold, self.sustained = [], []


def _events():
    return torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)


def time_once(launch, flush):
    """One launch in milliseconds, from a cold L2; the host's launch cost hides behind a short wait on the GPU."""
    begin, end = _events()
    flush.add_(1)
    torch.cuda._sleep(200_000)
    begin.record()
    launch()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end)


def time_sustained(launch, warm_ms, measure_ms, once_ms):
    """Mean of back-to-back launches in milliseconds."""
    warm = max(3, int(warm_ms / once_ms))
    count = max(10, int(measure_ms / once_ms))
    begin, end = _events()
    for _ in range(warm):
        launch()
    begin.record()
    for _ in range(count):
        launch()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / count


def compare(variants, rounds=20, launches=5, idle_s=0.06, sustained_rounds=3, warm_ms=300, measure_ms=150, seed=1):
    """variants: name → launch function. Returns name → Times."""
    order = random.Random(seed)
    flush = torch.zeros(FLUSH_BYTES // 4, dtype=torch.int32, device="cuda")
    times = {name: Times() for name in variants}
    for launch in variants.values():  # compile, allocate
        for _ in range(2):
            launch()
    torch.cuda.synchronize()
    for _ in range(rounds):
        names = list(variants)
        order.shuffle(names)
        for name in names:
            time.sleep(idle_s)
            times[name].cold.append(statistics.median(time_once(variants[name], flush) for _ in range(launches)))
    for _ in range(sustained_rounds):
        names = list(variants)
        order.shuffle(names)
        for name in names:
            time.sleep(idle_s)
            once = statistics.median(times[name].cold)
            times[name].sustained.append(time_sustained(variants[name], warm_ms, measure_ms, once))
    return times


def interval(samples, seed=1, draws=2000):
    """Median and its 95 % interval by resampling."""
    source = random.Random(seed)
    medians = sorted(statistics.median(source.choices(samples, k=len(samples))) for _ in range(draws))
    return statistics.median(samples), medians[int(draws * 0.025)], medians[int(draws * 0.975) - 1]


def ratios(reference, times):
    """How many times faster `times` is than `reference`, round by round: (median, low, high)."""
    return interval([a / b for a, b in zip(reference, times)])


def report(title, times, ours, flops=0.0):
    """Prints a table, and the ratios of `ours` against every other variant."""
    print(f"\n## {title}")
    print(f"{'variant':44} {'cold ms':>9} {'95 % interval':>19} {'TFLOP/s':>8} {'sustained ms':>12} {'ours is':>22} {'sustained':>9}")
    for name, t in times.items():
        median, low, high = interval(t.cold)
        sustained = statistics.median(t.sustained)
        rate = f"{flops / median / 1e9:8.0f}" if flops else " " * 8
        versus = ""
        if name != ours:
            r, a, b = ratios(t.cold, times[ours].cold)
            versus = f"{r:6.3f}x ({a:.3f}–{b:.3f}) {sustained / statistics.median(times[ours].sustained):8.3f}x"
        print(f"{name:44} {median:9.4f} {low:9.4f}–{high:.4f} {rate} {sustained:12.4f}   {versus}")
