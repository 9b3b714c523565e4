/*
 * Pain's smoothing of a square as a plain loop nest, one thread: the bar for the loops over colours. Squares cut along
 * the rising diagonal, first-fit colours with those of the boundary apart, vertices numbered by colours; metric
 * diag(1/h^2) with lengths that fall linearly along both axes, at the middles of edges, by formula or from a raster of
 * 512 by 512 tensors; sigma = 0.01, w = 0.5; corners stay, other vertices of the boundary slide.
 *
 *   g++ -O3 -march=native -o smooth-pain smooth-pain.cpp && ./smooth-pain N SWEEPS formula|raster [f32]
 *
 * Prints nanoseconds for each vertex and sweep, the median and the least of five rounds, and the sum of all coordinates.
 */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

const int SAMPLES = 512;
const double LEAST = 0.05, GREATEST = 0.5;

struct Cavities {
    int colours = 0;
    std::vector<int> starts;              /* of colours, free ones first */
    int freeColours = 0;
    std::vector<double> x;
    std::vector<double> tangents;
    std::vector<int> offsets, around;
};

Cavities square(int n) {
    const int side = n + 1, count = side * side;
    const int steps[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
    auto at = [&](int v, int k) {
        int i = v % side + steps[k][0], j = v / side + steps[k][1];
        return i < 0 || j < 0 || i > n || j > n ? -1 : j * side + i;
    };
    auto bound = [&](int v) { return v % side == 0 || v % side == n || v / side == 0 || v / side == n; };
    std::vector<int> colour(count, -1);
    Cavities c;
    int base = 0;
    for (int kind = 0; kind < 2; kind++) {
        int next = base;
        for (int v = 0; v < count; v++) {
            if (bound(v) == (kind == 1)) {
                unsigned taken = 0;
                for (int k = 0; k < 6; k++) {
                    int other = at(v, k);
                    if (other >= 0 && colour[other] >= base) {
                        taken |= 1u << (colour[other] - base);
                    }
                }
                colour[v] = base + __builtin_ctz(~taken);
                next = std::max(next, colour[v] + 1);
            }
        }
        base = next;
        c.freeColours = kind == 0 ? base : c.freeColours;
    }
    c.colours = base;
    c.starts.assign(base + 1, 0);
    for (int v = 0; v < count; v++) {
        c.starts[colour[v] + 1]++;
    }
    for (int k = 0; k < base; k++) {
        c.starts[k + 1] += c.starts[k];
    }
    std::vector<int> next(c.starts), number(count), order(count);
    for (int v = 0; v < count; v++) {
        number[v] = next[colour[v]]++;
        order[number[v]] = v;
    }
    c.offsets.push_back(0);
    for (int i = 0; i < count; i++) {
        int v = order[i];
        bool first = v % side == 0 || v % side == n, second = v / side == 0 || v / side == n;
        c.x.push_back((double) (v % side) / n);
        c.x.push_back((double) (v / side) / n);
        c.tangents.push_back(second && !first ? 1 : 0);
        c.tangents.push_back(first && !second ? 1 : 0);
        for (int k = 0; k < 6; k++) {
            if (at(v, k) >= 0) {
                c.around.push_back(number[at(v, k)]);
            }
        }
        c.offsets.push_back((int) c.around.size());
    }
    return c;
}

template <class T>
struct Formula {
    inline void at(T x, T y, T &xx, T &xy, T &yy) const {
        T h = (T) GREATEST - (T) (GREATEST - LEAST) * x, v = (T) GREATEST - (T) (GREATEST - LEAST) * y;
        xx = 1 / (h * h);
        xy = 0;
        yy = 1 / (v * v);
    }
};

template <class T>
struct Raster {
    std::vector<T> values;

    Raster() : values(3 * SAMPLES * SAMPLES) {
        for (int j = 0; j < SAMPLES; j++) {
            for (int i = 0; i < SAMPLES; i++) {
                Formula<double> formula;
                double xx, xy, yy;
                formula.at((double) i / (SAMPLES - 1), (double) j / (SAMPLES - 1), xx, xy, yy);
                T *to = &values[3 * (j * SAMPLES + i)];
                to[0] = (T) xx, to[1] = (T) xy, to[2] = (T) yy;
            }
        }
    }

    inline void at(T x, T y, T &xx, T &xy, T &yy) const {
        T s = std::min(std::max(x * (SAMPLES - 1), (T) 0), (T) (SAMPLES - 1));
        T t = std::min(std::max(y * (SAMPLES - 1), (T) 0), (T) (SAMPLES - 1));
        int i = std::min((int) s, SAMPLES - 2), j = std::min((int) t, SAMPLES - 2);
        s -= i, t -= j;
        const T *p = &values[3 * (j * SAMPLES + i)], *q = p + 3 * SAMPLES;
        T a = (1 - t) * (1 - s), b = (1 - t) * s, c = t * (1 - s), d = t * s;
        xx = a * p[0] + b * p[3] + c * q[0] + d * q[3];
        xy = a * p[1] + b * p[4] + c * q[1] + d * q[4];
        yy = a * p[2] + b * p[5] + c * q[2] + d * q[5];
    }
};

template <class T, class Metric>
void sweep(const Cavities &c, const Metric &metric, const T *tangents, T *x) {
    for (int colour = 0; colour < c.colours; colour++) {
        bool isFree = colour < c.freeColours;
        for (int v = c.starts[colour]; v < c.starts[colour + 1]; v++) {
            T px = x[2 * v], py = x[2 * v + 1], axx = 0, axy = 0, ayy = 0, gx = 0, gy = 0;
            for (int k = c.offsets[v]; k < c.offsets[v + 1]; k++) {
                const T *y = x + 2 * c.around[k];
                T dx = y[0] - px, dy = y[1] - py, xx, xy, yy;
                metric.at(px + (T) 0.5 * dx, py + (T) 0.5 * dy, xx, xy, yy);
                axx += xx, axy += xy, ayy += yy;
                gx += xx * dx + xy * dy;
                gy += xy * dx + yy * dy;
            }
            if (isFree) {
                axx += std::max(axx, (T) 1.01 * std::abs(axy));
                ayy += std::max(ayy, (T) 1.01 * std::abs(axy));
                T scale = (T) 0.5 / (axx * ayy - axy * axy);
                x[2 * v] = px + scale * (ayy * gx - axy * gy);
                x[2 * v + 1] = py + scale * (axx * gy - axy * gx);
            } else {
                T u = tangents[2 * v], w = tangents[2 * v + 1];
                T a = 2 * (u * (axx * u + axy * w) + w * (axy * u + ayy * w));
                T step = a > 0 ? (T) 0.5 * (u * gx + w * gy) / a : 0;
                x[2 * v] = px + step * u;
                x[2 * v + 1] = py + step * w;
            }
        }
    }
}

template <class T, class Metric>
void measure(const Cavities &c, int sweeps, const char *name) {
    Metric metric;
    std::vector<T> x(c.x.begin(), c.x.end()), tangents(c.tangents.begin(), c.tangents.end());
    std::vector<double> seconds;
    for (int round = 0; round < 6; round++) {
        auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < sweeps; i++) {
            sweep(c, metric, tangents.data(), x.data());
        }
        if (round > 0) {
            seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        }
    }
    std::sort(seconds.begin(), seconds.end());
    double sum = 0;
    for (T value : x) {
        sum += value;
    }
    double scale = 1e9 / sweeps / (x.size() / 2);
    std::printf("{\"kind\": \"c++:%s:f%d\", \"vertices\": %zu, \"colours\": %d, \"sweeps\": %d, "
            "\"nsPerVertexSweep\": %.3f, \"fastest\": %.3f, \"sum\": %.9f}\n", name, (int) (8 * sizeof(T)),
            x.size() / 2, c.colours, sweeps, seconds[2] * scale, seconds[0] * scale, sum);
}

}

int main(int count, char **arguments) {
    if (count < 4) {
        std::fprintf(stderr, "usage: %s N SWEEPS formula|raster [f32]\n", arguments[0]);
        return 2;
    }
    Cavities c = square(std::atoi(arguments[1]));
    int sweeps = std::atoi(arguments[2]);
    bool formula = std::strcmp(arguments[3], "formula") == 0, single = count > 4;
    if (formula) {
        single ? measure<float, Formula<float>>(c, sweeps, "formula")
               : measure<double, Formula<double>>(c, sweeps, "formula");
    } else {
        single ? measure<float, Raster<float>>(c, sweeps, "raster")
               : measure<double, Raster<double>>(c, sweeps, "raster");
    }
    return 0;
}
