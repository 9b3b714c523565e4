/*
 * Assembly of Qp on a distorted unit square into compressed rows as a plain loop nest, one thread: the bar for
 * `global-reuse` into `csr`. Stiffness with kappa = 1 + x + 2y given at the points, nodes at equal distances, p + 1 Gauss
 * points in each direction, all nodes; points outside, then rows and columns of the upper half (thesis, algorithm 2);
 * places of entries are computed beforehand.
 *
 *   g++ -O3 -march=native -o fem-assembly fem-assembly.cpp && ./fem-assembly DEGREE CELLS_A_SIDE [TURNS]
 *
 * Prints the elements a second of the best turn by the thread's processor time, and the sum of all magnitudes.
 */
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

const double PI = 3.14159265358979323846;

double processor_seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Gauss points of (0, 1) by Newton's method on Legendre's polynomial. */
void gauss(int n, std::vector<double> &x, std::vector<double> &w) {
    for (int i = 0; i < n; i++) {
        double z = std::cos(PI * (i + 0.75) / (n + 0.5)), slope = 1;
        for (int it = 0; it < 50; it++) {
            double p0 = 1, p1 = z;
            for (int k = 2; k <= n; k++) {
                double p2 = ((2 * k - 1) * z * p1 - (k - 1) * p0) / k;
                p0 = p1;
                p1 = p2;
            }
            slope = n * (z * p1 - p0) / (z * z - 1);
            z -= p1 / slope;
        }
        x.push_back(0.5 * (1 - z));
        w.push_back(1 / ((1 - z * z) * slope * slope));
    }
}

double lagrange(int p, int i, double x, bool derivative) {
    double sum = 0, product = 1;
    for (int m = 0; m <= p; m++) {
        if (m == i) {
            continue;
        }
        double term = p / double(i - m);
        for (int k = 0; k <= p; k++) {
            term *= k == i || k == m ? 1 : (x * p - k) / (i - k);
        }
        sum += term;
        product *= (x * p - m) / (i - m);
    }
    return derivative ? sum : product;
}

struct Problem {
    int n, points, cells;
    std::vector<double> gradients, map_gradients, weights, corners, kappa, values;
    std::vector<int32_t> places;
};

/* The loop that is timed: the same operations in the same order as Trellis'. */
__attribute__((noinline)) void assemble(Problem &s) {
    const int n = s.n;
    std::vector<double> k(n * n), tx(n), ty(n);
    std::fill(s.values.begin(), s.values.end(), 0.0);
    for (int e = 0; e < s.cells; e++) {
        const double *x = &s.corners[8 * e];
        std::fill(k.begin(), k.end(), 0.0);
        for (int q = 0; q < s.points; q++) {
            double j[4] = {0, 0, 0, 0};
            for (int c = 0; c < 4; c++) {
                double gx = s.map_gradients[8 * q + c], gy = s.map_gradients[8 * q + 4 + c];
                j[0] += gx * x[2 * c];
                j[1] += gy * x[2 * c];
                j[2] += gx * x[2 * c + 1];
                j[3] += gy * x[2 * c + 1];
            }
            double factor = s.weights[q] * s.kappa[e * s.points + q] / (j[0] * j[3] - j[1] * j[2]);
            double dxx = factor * (j[3] * j[3] + j[1] * j[1]);
            double dxy = -factor * (j[3] * j[2] + j[1] * j[0]);
            double dyy = factor * (j[2] * j[2] + j[0] * j[0]);
            const double *gx = &s.gradients[2 * n * q], *gy = gx + n;
            for (int i = 0; i < n; i++) {
                tx[i] = dxx * gx[i] + dxy * gy[i];
                ty[i] = dxy * gx[i] + dyy * gy[i];
            }
            for (int i = 0; i < n; i++) {
                for (int m = i; m < n; m++) {
                    k[i * n + m] += gx[i] * tx[m] + gy[i] * ty[m];
                }
            }
        }
        const int32_t *place = &s.places[e * n * n];
        for (int i = 0; i < n; i++) {
            for (int m = 0; m < n; m++) {
                s.values[place[i * n + m]] += m < i ? k[m * n + i] : k[i * n + m];
            }
        }
    }
}

void tables(Problem &s, int p) {
    std::vector<double> x, w;
    gauss(p + 1, x, w);
    for (int b = 0; b <= p; b++) {
        for (int a = 0; a <= p; a++) {
            s.weights.push_back(w[a] * w[b]);
            for (int d = 0; d < 2; d++) {
                for (int i = 0; i < s.n; i++) {
                    s.gradients.push_back(lagrange(p, i % (p + 1), x[a], d == 0) * lagrange(p, i / (p + 1), x[b], d == 1));
                }
            }
            for (int d = 0; d < 2; d++) {
                for (int c = 0; c < 4; c++) {
                    s.map_gradients.push_back(lagrange(1, c % 2, x[a], d == 0) * lagrange(1, c / 2, x[b], d == 1));
                }
            }
        }
    }
}

void mesh(Problem &s, int p, int side) {
    std::vector<double> gx, w;
    gauss(p + 1, gx, w);
    int width = p * side + 1;
    std::vector<std::vector<int32_t>> columns(width * width);
    std::vector<int32_t> nodes;
    for (int e = 0; e < s.cells; e++) {
        for (int i = 0; i < s.n; i++) {
            nodes.push_back(e / side * p * width + e % side * p + i / (p + 1) * width + i % (p + 1));
        }
        double corner[8];
        for (int c = 0; c < 4; c++) {
            double x = double(e % side + c % 2) / side, y = double(e / side + c / 2) / side;
            corner[2 * c] = x + 0.08 * std::sin(2 * PI * x) * std::sin(PI * y);
            corner[2 * c + 1] = y + 0.06 * std::sin(PI * x) * std::sin(2 * PI * y);
        }
        s.corners.insert(s.corners.end(), corner, corner + 8);
        for (int q = 0; q < s.points; q++) {
            double x[2] = {0, 0};
            for (int c = 0; c < 4; c++) {
                double value = lagrange(1, c % 2, gx[q % (p + 1)], false) * lagrange(1, c / 2, gx[q / (p + 1)], false);
                x[0] += value * corner[2 * c];
                x[1] += value * corner[2 * c + 1];
            }
            s.kappa.push_back(1 + x[0] + 2 * x[1]);
        }
    }
    for (int e = 0; e < s.cells; e++) {
        for (int i = 0; i < s.n * s.n; i++) {
            columns[nodes[e * s.n + i / s.n]].push_back(nodes[e * s.n + i % s.n]);
        }
    }
    std::vector<int32_t> offsets(1, 0);
    for (auto &row : columns) {
        std::sort(row.begin(), row.end());
        row.erase(std::unique(row.begin(), row.end()), row.end());
        offsets.push_back(offsets.back() + int32_t(row.size()));
    }
    for (int e = 0; e < s.cells; e++) {
        for (int i = 0; i < s.n * s.n; i++) {
            int row = nodes[e * s.n + i / s.n];
            auto &entries = columns[row];
            s.places.push_back(offsets[row] + int32_t(std::lower_bound(entries.begin(), entries.end(),
                    nodes[e * s.n + i % s.n]) - entries.begin()));
        }
    }
    s.values.resize(offsets.back());
}

}  // namespace

int main(int count, char **words) {
    int p = count > 2 ? std::atoi(words[1]) : 0, side = count > 2 ? std::atoi(words[2]) : 0;
    int turns = count > 3 ? std::atoi(words[3]) : 30;
    if (p < 1 || p > 8 || side < 1 || turns < 1) {
        std::fprintf(stderr, "usage: fem-assembly DEGREE (1 to 8) CELLS_A_SIDE [TURNS]\n");
        return 2;
    }
    Problem s;
    s.n = (p + 1) * (p + 1);
    s.points = s.n;
    s.cells = side * side;
    tables(s, p);
    mesh(s, p, side);
    double best = 1e300;
    for (int turn = 0; turn < turns; turn++) {
        double start = processor_seconds();
        assemble(s);
        best = std::min(best, processor_seconds() - start);
    }
    double sum = 0;
    for (double value : s.values) {
        sum += std::fabs(value);
    }
    std::printf("Q%d, %d elements: %.4g elements/s, sum of magnitudes %.12g\n", p, s.cells, s.cells / best, sum);
    return 0;
}
