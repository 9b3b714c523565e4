/*
 * The loops of Airfoil as a plain C loop nest, one thread, array of structures: the bar that the generated loops are
 * measured against. Compile with -O3 -march=native. The formulas are those of Airfoil.java.
 *
 *   airfoil FILE
 *
 * FILE (native byte order): int32 nodes, cells, edges, boundary edges; int32 tables cell-node (4 each), edge-node (2),
 * edge-cell (2), boundary-node (2), boundary-cell (1), kind (1); doubles x (2 for each node).
 * For each number n read from standard input it runs n iterations and prints one line: the residual of the last
 * iteration and the seconds that the five loops took, save, step, flux, boundary and update. Ends with the input.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double GAMMA = 1.4f, GAMMA_1 = 1.4f - 1.0f, CFL = 0.9f, DISSIPATION = 0.05f, MACH = 0.4f;

static int nodes, cells, edges, boundary_edges;
static int32_t *cell_node, *edge_node, *edge_cell, *boundary_node, *boundary_cell, *kind;
static double *x, *q, *old_q, *adt, *residual;
static double far_field[4];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

__attribute__((noinline)) static void save_loop(void) {
    for (int n = 0; n < cells; n++) {
        for (int c = 0; c < 4; c++) {
            old_q[4 * n + c] = q[4 * n + c];
        }
    }
}

static inline double side(const double *from, const double *to, double u, double v, double sound) {
    double dx = to[0] - from[0], dy = to[1] - from[1];
    return fabs(u * dy - v * dx) + sound * sqrt(dx * dx + dy * dy);
}

__attribute__((noinline)) static void step_loop(void) {
    for (int n = 0; n < cells; n++) {
        const double *x1 = x + 2 * cell_node[4 * n], *x2 = x + 2 * cell_node[4 * n + 1];
        const double *x3 = x + 2 * cell_node[4 * n + 2], *x4 = x + 2 * cell_node[4 * n + 3];
        const double *p = q + 4 * n;
        double inverse = 1 / p[0], u = inverse * p[1], v = inverse * p[2];
        double sound = sqrt(GAMMA * GAMMA_1 * (inverse * p[3] - 0.5 * (u * u + v * v)));
        adt[n] = (side(x1, x2, u, v, sound) + side(x2, x3, u, v, sound) + side(x3, x4, u, v, sound)
                + side(x4, x1, u, v, sound)) / CFL;
    }
}

__attribute__((noinline)) static void flux_loop(void) {
    for (int n = 0; n < edges; n++) {
        const double *x1 = x + 2 * edge_node[2 * n], *x2 = x + 2 * edge_node[2 * n + 1];
        int a = edge_cell[2 * n], b = edge_cell[2 * n + 1];
        const double *q1 = q + 4 * a, *q2 = q + 4 * b;
        double *r1 = residual + 4 * a, *r2 = residual + 4 * b;
        double dx = x1[0] - x2[0], dy = x1[1] - x2[1];
        double inverse1 = 1 / q1[0], p1 = GAMMA_1 * (q1[3] - 0.5 * inverse1 * (q1[1] * q1[1] + q1[2] * q1[2]));
        double volume1 = inverse1 * (q1[1] * dy - q1[2] * dx);
        double inverse2 = 1 / q2[0], p2 = GAMMA_1 * (q2[3] - 0.5 * inverse2 * (q2[1] * q2[1] + q2[2] * q2[2]));
        double volume2 = inverse2 * (q2[1] * dy - q2[2] * dx);
        double mu = 0.5 * (adt[a] + adt[b]) * DISSIPATION;
        double f = 0.5 * (volume1 * q1[0] + volume2 * q2[0]) + mu * (q1[0] - q2[0]);
        r1[0] += f;
        r2[0] -= f;
        f = 0.5 * (volume1 * q1[1] + p1 * dy + volume2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
        r1[1] += f;
        r2[1] -= f;
        f = 0.5 * (volume1 * q1[2] - p1 * dx + volume2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
        r1[2] += f;
        r2[2] -= f;
        f = 0.5 * (volume1 * (q1[3] + p1) + volume2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
        r1[3] += f;
        r2[3] -= f;
    }
}

__attribute__((noinline)) static void boundary_loop(void) {
    for (int n = 0; n < boundary_edges; n++) {
        const double *x1 = x + 2 * boundary_node[2 * n], *x2 = x + 2 * boundary_node[2 * n + 1];
        int a = boundary_cell[n];
        const double *q1 = q + 4 * a, *q2 = far_field;
        double *r1 = residual + 4 * a;
        double dx = x1[0] - x2[0], dy = x1[1] - x2[1];
        double inverse1 = 1 / q1[0], p1 = GAMMA_1 * (q1[3] - 0.5 * inverse1 * (q1[1] * q1[1] + q1[2] * q1[2]));
        if (kind[n] == 1) {
            r1[1] += p1 * dy;
            r1[2] -= p1 * dx;
        } else {
            double volume1 = inverse1 * (q1[1] * dy - q1[2] * dx);
            double inverse2 = 1 / q2[0], p2 = GAMMA_1 * (q2[3] - 0.5 * inverse2 * (q2[1] * q2[1] + q2[2] * q2[2]));
            double volume2 = inverse2 * (q2[1] * dy - q2[2] * dx);
            double mu = adt[a] * DISSIPATION;
            r1[0] += 0.5 * (volume1 * q1[0] + volume2 * q2[0]) + mu * (q1[0] - q2[0]);
            r1[1] += 0.5 * (volume1 * q1[1] + p1 * dy + volume2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
            r1[2] += 0.5 * (volume1 * q1[2] - p1 * dx + volume2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
            r1[3] += 0.5 * (volume1 * (q1[3] + p1) + volume2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
        }
    }
}

__attribute__((noinline)) static double update_loop(void) {
    double change = 0;
    for (int n = 0; n < cells; n++) {
        double inverse = 1 / adt[n];
        for (int c = 0; c < 4; c++) {
            double delta = inverse * residual[4 * n + c];
            q[4 * n + c] = old_q[4 * n + c] - delta;
            residual[4 * n + c] = 0;
            change += delta * delta;
        }
    }
    return change;
}

static void *room(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "airfoil: no memory for %zu values of %zu bytes\n", count, size);
        exit(1);
    }
    return memory;
}

static void *fetch(FILE *file, size_t count, size_t size) {
    void *memory = room(count, size);
    if (fread(memory, size, count, file) != count) {
        fprintf(stderr, "airfoil: the mesh file ends early, expected %zu more values of %zu bytes\n", count, size);
        exit(1);
    }
    return memory;
}

static void read_mesh(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        exit(1);
    }
    int32_t *sizes = fetch(file, 4, sizeof *sizes);
    nodes = sizes[0], cells = sizes[1], edges = sizes[2], boundary_edges = sizes[3];
    cell_node = fetch(file, 4L * cells, sizeof *cell_node);
    edge_node = fetch(file, 2L * edges, sizeof *edge_node);
    edge_cell = fetch(file, 2L * edges, sizeof *edge_cell);
    boundary_node = fetch(file, 2L * boundary_edges, sizeof *boundary_node);
    boundary_cell = fetch(file, boundary_edges, sizeof *boundary_cell);
    kind = fetch(file, boundary_edges, sizeof *kind);
    x = fetch(file, 2L * nodes, sizeof *x);
    fclose(file);
    free(sizes);
}

static void start(void) {
    double u = sqrt(GAMMA) * MACH;
    far_field[0] = 1;
    far_field[1] = u;
    far_field[2] = 0;
    far_field[3] = 1 / GAMMA_1 + 0.5 * u * u;
    q = room(4L * cells, sizeof *q);
    old_q = room(4L * cells, sizeof *old_q);
    residual = room(4L * cells, sizeof *residual);
    adt = room(cells, sizeof *adt);
    for (int n = 0; n < cells; n++) {
        for (int c = 0; c < 4; c++) {
            q[4 * n + c] = far_field[c];
        }
    }
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: airfoil FILE, and numbers of iterations on standard input\n");
        return 2;
    }
    read_mesh(arguments[1]);
    start();
    int iterations;
    while (scanf("%d", &iterations) == 1) {
        double seconds[5] = {0}, change = 0;
        for (int i = 0; i < iterations; i++) {
            double t = now(), next;
            save_loop();
            seconds[0] += (next = now()) - t, t = next;
            for (int half = 0; half < 2; half++) {
                step_loop();
                seconds[1] += (next = now()) - t, t = next;
                flux_loop();
                seconds[2] += (next = now()) - t, t = next;
                boundary_loop();
                seconds[3] += (next = now()) - t, t = next;
                change = update_loop();
                seconds[4] += (next = now()) - t, t = next;
            }
        }
        printf("%.17g %.9g %.9g %.9g %.9g %.9g\n", sqrt(change / cells), seconds[0], seconds[1], seconds[2],
               seconds[3], seconds[4]);
        fflush(stdout);
    }
    return 0;
}
