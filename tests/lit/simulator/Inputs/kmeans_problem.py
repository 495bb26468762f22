"""Writes a k-means assignment problem and its answer as .npy files: x, c, c2, label in the folder argv[1].

argv[2:6] are B, N, K, D, argv[6] is "permuted" to write the points of each batch in reverse order. The values are multiples of 1/8 below
4, exact in bf16, and every score is exact in f32: labels are compared without a tolerance, and ties go to the smallest index.
"""
import random
import struct
import sys


def write(path, code, shape, values):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (code, ", ".join(map(str, shape)) + ",")
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%d%s" % (len(values), {"<f4": "f", "<i4": "i"}[code]), *values))


def label(point, centroids, norms):
    scores = [norm - 2 * sum(a * b for a, b in zip(point, centroid)) for centroid, norm in zip(centroids, norms)]
    return scores.index(min(scores))


def main():
    folder, (batches, n, k, d) = sys.argv[1], map(int, sys.argv[2:6])
    source = random.Random(5)
    x, c, c2, labels = [], [], [], []
    for _ in range(batches):
        points = [[source.randrange(-31, 32) / 8 for _ in range(d)] for _ in range(n)]
        centroids = [[source.randrange(-31, 32) / 8 for _ in range(d)] for _ in range(k)]
        if k > 2:
            centroids[k - 1] = centroids[0]  # a tie
        if sys.argv[6:] == ["permuted"]:
            points.reverse()
        norms = [sum(value * value for value in centroid) for centroid in centroids]
        x += sum(points, [])
        c += sum(centroids, [])
        c2 += norms
        labels += [label(point, centroids, norms) for point in points]
    write(folder + "/x.npy", "<f4", (batches, n, d), x)
    write(folder + "/c.npy", "<f4", (batches, k, d), c)
    write(folder + "/c2.npy", "<f4", (batches, k), c2)
    write(folder + "/label.npy", "<i4", (batches, n), labels)


main()
