/*
 * The five heaviest loops of the flow solver as plain loop nests with OpenMP: the bar for the loops of the mesh runtime.
 * Same arithmetic, order of the mesh and data, which the Java side writes to a file. Edges run in blocks of
 * consecutive ones; blocks that touch a node in common have different colours, and blocks of a colour run at once.
 *
 *   g++ -O3 -march=native -fopenmp -o rotor-loops rotor-loops.cpp
 *
 * Is started by class RotorLoops (examples), which runs it in turns with its own loops, and reads orders:
 * "run LOOP TIMES" answers with seconds, "write LOOP FILE" sets what the loop adds to to zero, runs it once and writes
 * that.
 */
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <omp.h>
#include <string>
#include <vector>

namespace {

const double GAMMA = 1.4, GAMMA_1 = 0.4, PRANDTL = 0.72, PRANDTL_TURBULENT = 0.9, CV1 = 7.1, SIGMA = 2.0 / 3,
             KAPPA = 0.41, CB1 = 0.1355, CB2 = 0.622, CW1 = CB1 / (KAPPA * KAPPA) + (1 + CB2) / SIGMA, CW2 = 0.3,
             CW3 = 2, TINY = 1e-30, ENTROPY = 0.05, LEAST_VORTICITY = 0.3, MOST_RATIO = 10;
const int BLOCK = 1024;

std::map<std::string, std::vector<double>> data;
std::vector<int> ends;
int edges, nodes;
double omega;
std::vector<double> sums, slopesOf, damping;

/* Blocks of edges, by colour. */
std::vector<std::vector<int>> colours;

void colourBlocks() {
    int blocks = (edges + BLOCK - 1) / BLOCK;
    std::vector<uint64_t> taken(nodes, 0);
    for (int b = 0; b < blocks; b++) {
        int from = b * BLOCK, to = std::min(edges, from + BLOCK);
        uint64_t forbidden = 0;
        for (int i = 2 * from; i < 2 * to; i++) {
            forbidden |= taken[ends[i]];
        }
        int colour = __builtin_ctzll(~forbidden);
        for (int i = 2 * from; i < 2 * to; i++) {
            taken[ends[i]] |= uint64_t(1) << colour;
        }
        if (colour >= (int)colours.size()) {
            colours.resize(colour + 1);
        }
        colours[colour].push_back(b);
    }
}

inline void flux(const double *w, const double *n, double vg, double *f) {
    double mass = w[0] * (w[1] * n[0] + w[2] * n[1] + w[3] * n[2] - vg);
    double enthalpy = GAMMA / GAMMA_1 * w[4] / w[0] + 0.5 * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    f[0] = mass;
    f[1] = mass * w[1] + w[4] * n[0];
    f[2] = mass * w[2] + w[4] * n[1];
    f[3] = mass * w[3] + w[4] * n[2];
    f[4] = mass * enthalpy + w[4] * vg;
    f[5] = mass * w[5];
}

inline void dissipation(const double *a, const double *b, const double *n, double vg, double *d) {
    double area = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) + TINY;
    double nx = n[0] / area, ny = n[1] / area, nz = n[2] / area;
    double root = std::sqrt(b[0] / a[0]);
    double density = root * a[0];
    double share = 1 / (1 + root);
    double u = (a[1] + root * b[1]) * share;
    double v = (a[2] + root * b[2]) * share;
    double w = (a[3] + root * b[3]) * share;
    double nu = (a[5] + root * b[5]) * share;
    double kinetic = 0.5 * (u * u + v * v + w * w);
    double ha = GAMMA / GAMMA_1 * a[4] / a[0] + 0.5 * (a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    double hb = GAMMA / GAMMA_1 * b[4] / b[0] + 0.5 * (b[1] * b[1] + b[2] * b[2] + b[3] * b[3]);
    double enthalpy = (ha + root * hb) * share;
    double cc = GAMMA_1 * (enthalpy - kinetic);
    double c = std::sqrt(cc);
    double un = u * nx + v * ny + w * nz;
    double relative = un - vg / area;
    double least = ENTROPY * (std::fabs(relative) + c);
    double slow = std::fabs(relative - c), fast = std::fabs(relative + c);
    slow = slow < least ? 0.5 * (slow * slow / least + least) : slow;
    fast = fast < least ? 0.5 * (fast * fast / least + least) : fast;
    double still = std::fabs(relative);
    double dp = b[4] - a[4], du = b[1] - a[1], dv = b[2] - a[2], dw = b[3] - a[3];
    double dun = du * nx + dv * ny + dw * nz;
    double half = 0.5 * area;
    double left = half * slow * (dp - density * c * dun) / (2 * cc);
    double right = half * fast * (dp + density * c * dun) / (2 * cc);
    double entropy = half * still * (b[0] - a[0] - dp / cc);
    double shear = half * still * density;
    double mass = left + right + entropy;
    double sound = c * (right - left) - shear * dun;
    d[0] = mass;
    d[1] = mass * u + sound * nx + shear * du;
    d[2] = mass * v + sound * ny + shear * dv;
    d[3] = mass * w + sound * nz + shear * dw;
    d[4] = (left + right) * enthalpy + entropy * kinetic + sound * un + shear * (u * du + v * dv + w * dw);
    d[5] = mass * nu + shear * (b[5] - a[5]);
}

inline void stress(const double *w, const double *g, const double *n, double mu, double conduction, double *f) {
    double divergence = (g[3] + g[7] + g[11]) * (2.0 / 3);
    double xy = g[4] + g[6], xz = g[5] + g[9], yz = g[8] + g[10];
    f[1] = mu * ((2 * g[3] - divergence) * n[0] + xy * n[1] + xz * n[2]);
    f[2] = mu * (xy * n[0] + (2 * g[7] - divergence) * n[1] + yz * n[2]);
    f[3] = mu * (xz * n[0] + yz * n[1] + (2 * g[11] - divergence) * n[2]);
    double heat = (g[12] * n[0] + g[13] * n[1] + g[14] * n[2]) / w[0] -
                  (g[0] * n[0] + g[1] * n[1] + g[2] * n[2]) * (w[4] / (w[0] * w[0]));
    f[4] = w[1] * f[1] + w[2] * f[2] + w[3] * f[3] + conduction * GAMMA * heat;
}

/* Runs a body for all edges, blocks of a colour at once. */
template <class Body> void overEdges(const Body &body) {
    const int *e = ends.data();
    for (const std::vector<int> &blocks : colours) {
        int count = (int)blocks.size();
#pragma omp parallel for schedule(static)
        for (int b = 0; b < count; b++) {
            int from = blocks[b] * BLOCK, to = std::min(edges, from + BLOCK);
            for (int i = from; i < to; i++) {
                body(i, e[2 * i], e[2 * i + 1]);
            }
        }
    }
}

void convection() {
    const double *normals = data["n"].data(), *sweep = data["sweep"].data(), *w = data["w"].data();
    double *r = sums.data();
    overEdges([=](int e, int one, int two) {
        double f1[6], f2[6], vg = omega * sweep[e];
        flux(w + 6 * one, normals + 3 * e, vg, f1);
        flux(w + 6 * two, normals + 3 * e, vg, f2);
        for (int k = 0; k < 6; k++) {
            double f = 0.5 * (f1[k] + f2[k]);
            r[6 * one + k] += f;
            r[6 * two + k] -= f;
        }
    });
}

void upwind() {
    const double *x = data["x"].data(), *normals = data["n"].data(), *sweep = data["sweep"].data(),
                 *w = data["w"].data(), *g = data["g"].data(), *phi = data["phi"].data();
    double *r = sums.data();
    overEdges([=](int e, int one, int two) {
        double d[3], a[6], b[6], f[6];
        for (int i = 0; i < 3; i++) {
            d[i] = 0.5 * (x[3 * two + i] - x[3 * one + i]);
        }
        const double *g1 = g + 18 * one, *g2 = g + 18 * two;
        for (int k = 0; k < 6; k++) {
            a[k] = w[6 * one + k] +
                   phi[6 * one + k] * (g1[3 * k] * d[0] + g1[3 * k + 1] * d[1] + g1[3 * k + 2] * d[2]);
            b[k] = w[6 * two + k] -
                   phi[6 * two + k] * (g2[3 * k] * d[0] + g2[3 * k + 1] * d[1] + g2[3 * k + 2] * d[2]);
        }
        dissipation(a, b, normals + 3 * e, omega * sweep[e], f);
        for (int k = 0; k < 6; k++) {
            r[6 * one + k] -= f[k];
            r[6 * two + k] += f[k];
        }
    });
}

void slopes() {
    const double *x = data["x"].data(), *w = data["w"].data();
    double *g = slopesOf.data();
    overEdges([=](int, int one, int two) {
        double d[3];
        for (int i = 0; i < 3; i++) {
            d[i] = x[3 * two + i] - x[3 * one + i];
        }
        double weight = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 6; k++) {
            double step = weight * (w[6 * two + k] - w[6 * one + k]);
            for (int i = 0; i < 3; i++) {
                double f = step * d[i];
                g[18 * one + 3 * k + i] += f;
                g[18 * two + 3 * k + i] += f;
            }
        }
    });
}

void friction() {
    const double *x = data["x"].data(), *normals = data["n"].data(), *state = data["w"].data(),
                 *gradient = data["g"].data(), *mu = data["mu"].data();
    double *r = sums.data();
    overEdges([=](int e, int one, int two) {
        const double *n = normals + 3 * e, *g1 = gradient + 18 * one, *g2 = gradient + 18 * two,
                     *w1 = state + 6 * one, *w2 = state + 6 * two;
        double d[3], w[6], g[18], f[6];
        for (int k = 0; k < 3; k++) {
            d[k] = x[3 * two + k] - x[3 * one + k];
        }
        double inverse = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 6; k++) {
            w[k] = 0.5 * (w1[k] + w2[k]);
            double along = 0;
            for (int i = 0; i < 3; i++) {
                g[3 * k + i] = 0.5 * (g1[3 * k + i] + g2[3 * k + i]);
                along += g[3 * k + i] * d[i];
            }
            double missing = (w2[k] - w1[k] - along) * inverse;
            for (int i = 0; i < 3; i++) {
                g[3 * k + i] += missing * d[i];
            }
        }
        double laminar = 0.5 * (mu[2 * one] + mu[2 * two]);
        double turbulent = 0.5 * (mu[2 * one + 1] + mu[2 * two + 1]);
        stress(w, g, n, laminar + turbulent, (laminar / PRANDTL + turbulent / PRANDTL_TURBULENT) / GAMMA_1, f);
        f[0] = 0;
        f[5] = (laminar + w[0] * w[5]) / SIGMA * (g[15] * n[0] + g[16] * n[1] + g[17] * n[2]);
        for (int k = 0; k < 6; k++) {
            r[6 * one + k] -= f[k];
            r[6 * two + k] += f[k];
        }
    });
}

void sources() {
    const double *state = data["w"].data(), *gradient = data["g"].data(), *mu = data["mu"].data(),
                 *distances = data["distance"].data(), *volume = data["volume"].data();
    double *r = sums.data(), *damped = damping.data();
#pragma omp parallel for schedule(static)
    for (int node = 0; node < nodes; node++) {
        const double *w = state + 6 * node, *g = gradient + 18 * node;
        double laminar = mu[2 * node];
        double off = distances[node] > 0 ? 1 : 0, distance = distances[node] > 0 ? distances[node] : 1;
        double wx = g[10] - g[8], wy = g[5] - g[9], wz = g[6] - g[4];
        double own = std::sqrt(wx * wx + wy * wy + wz * wz + TINY);
        double chi = w[0] * w[5] / laminar;
        double cube = chi * chi * chi;
        double fv1 = cube / (cube + CV1 * CV1 * CV1);
        double fv2 = 1 - chi / (1 + chi * fv1);
        double scale = KAPPA * KAPPA * distance * distance;
        double vorticity = std::max(LEAST_VORTICITY * own, own + w[5] * fv2 / scale);
        double ratio = std::min(w[5] / (vorticity * scale), MOST_RATIO);
        double square = ratio * ratio;
        double limited = ratio + CW2 * (square * square * square - ratio);
        double third = CW3 * CW3 * CW3, sixth = limited * limited * limited;
        double fw = CW1 * limited * std::cbrt(std::sqrt((1 + third * third) / (sixth * sixth + third * third)));
        double over = w[5] / distance;
        double steep = g[15] * g[15] + g[16] * g[16] + g[17] * g[17];
        double product = g[0] * g[15] + g[1] * g[16] + g[2] * g[17];
        double source = w[0] * (CB1 * vorticity * w[5] - fw * over * over + CB2 / SIGMA * steep) -
                        (laminar / w[0] + w[5]) / SIGMA * product;
        r[6 * node + 5] -= off * volume[node] * source;
        damped[node] = off * volume[node] * 2 * fw * std::fabs(w[5]) / (distance * distance);
    }
}

/* Seconds: of one thread alone its processor time, which other work on the machine disturbs less. */
double now() {
    timespec time;
    clock_gettime(omp_get_max_threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

void read(const char *file) {
    std::ifstream in(file, std::ios::binary);
    int length;
    while (in.read((char *)&length, 4)) {
        std::string name(length, ' ');
        in.read(&name[0], length);
        int64_t count;
        in.read((char *)&count, 8);
        if (name == "ends") {
            ends.resize(count);
            in.read((char *)ends.data(), 4 * count);
        } else {
            std::vector<double> &values = data[name];
            values.resize(count);
            in.read((char *)values.data(), 8 * count);
        }
    }
    edges = (int)(ends.size() / 2);
    nodes = (int)data["volume"].size();
    omega = data["omega"].at(0);
}

} // namespace

int main(int, char **arguments) {
    read(arguments[1]);
    sums.resize(6 * (size_t)nodes);
    slopesOf.resize(18 * (size_t)nodes);
    damping.resize(nodes);
    colourBlocks();
    const std::map<std::string, void (*)()> loops = {{"convection", convection},
                                                     {"upwind", upwind},
                                                     {"slopes", slopes},
                                                     {"friction", friction},
                                                     {"sources", sources}};
    std::string order, name;
    while (std::cin >> order >> name) {
        void (*loop)() = loops.at(name);
        if (order == "run") {
            int times;
            std::cin >> times;
            double start = now();
            for (int i = 0; i < times; i++) {
                loop();
            }
            std::printf("%.9e\n", now() - start);
        } else {
            std::string file;
            std::cin >> file;
            std::fill(sums.begin(), sums.end(), 0);
            std::fill(slopesOf.begin(), slopesOf.end(), 0);
            loop();
            std::vector<double> &result = name == "slopes" ? slopesOf : sums;
            std::ofstream(file, std::ios::binary).write((const char *)result.data(), 8 * result.size());
            std::printf("%d\n", (int)colours.size());
        }
        std::fflush(stdout);
    }
    return 0;
}
