/*
 * Rows of element matrices of scalar forms: the points of a map, the factors at quadrature points, and how one thread or
 * several make a row of them. Included by forms.cu behind its arguments, whose macros are meant here too.
 */
// A thread computes whole rows of element matrices, and the points as it goes.
#define DIRECT (SHARING == 1 && !STORED)
// They do it for squares of degree 1, most of whose rows have four of these around them.
#define AROUND (DIRECT && !SEARCH && SQUARES)

// Values that lie together and are loaded at once.
template <class T, int N> struct __align__(sizeof(T) * N) Pack {
    T v[N];
};

// The numbers of the points of an element's map. Threads have elements side by side: words of four numbers take a
// quarter of the requests.
__device__ __forceinline__ void pointsOf(const Arguments& a, long long e, int* p) {
    if (M == 4) {
        const Pack<int, 4> all = *(const Pack<int, 4>*) (a.points + e * 4);
#pragma unroll
        for (int k = 0; k < M; k++) {
            p[k] = all.v[k & 3];
        }
    } else {
#pragma unroll
        for (int k = 0; k < M; k++) {
            p[k] = a.points[e * M + k];
        }
    }
}

// The points of an element's map: four in the plane are brought, of others there are the addresses.
template <bool NEAR>
struct CornersOf {
    const REAL* x[M];

    __device__ __forceinline__ void bring(const Arguments& a, const int* p) {
        for (int k = 0; k < M; k++) {
            x[k] = a.coordinates + (long long) p[k] * D;
        }
    }
};

template <>
struct CornersOf<true> {
    REAL x[M][D];

    __device__ __forceinline__ void bring(const Arguments& a, const int* p) {
#pragma unroll
        for (int k = 0; k < M; k++) {
            const Pack<REAL, 2> one = *(const Pack<REAL, 2>*) (a.coordinates + (long long) p[k] * 2);
#pragma unroll
            for (int d = 0; d < D; d++) {
                x[k][d] = one.v[d & 1];
            }
        }
    }
};

typedef CornersOf<D == 2 && M == 4> Corners;

__device__ __forceinline__ Corners cornersOf(const Arguments& a, long long e) {
    int p[M];
    pointsOf(a, e, p);
    Corners corners;
    corners.bring(a, p);
    return corners;
}

#if TILED
// Numbers of a row of a tile, in which threads of a block have a point each: whole sectors.
#define TILE_PITCH ((TOGETHER * L * L + 3) / 4 * 4)
#endif

// Where component c of the factors of point q of element e lies.
__device__ __forceinline__ long long factorAt(long long e, int q, int c) {
#if TILED
    const int thread = e % TOGETHER * (L * L) + q % L + q / (L * L) * L;
    return ((e / TOGETHER * L + q / L % L) * P + c) * TILE_PITCH + thread;
#else
    return BY_ENTRY ? ((e / 32 * Q + q) * P + c) * 32 + e % 32 : (e * P + c) * Q + q;
#endif
}

__device__ __forceinline__ void factorsOf(const Arguments& a, int e, int q, REAL* p) {
#if STORED
    for (int c = 0; c < P; c++) {
        p[c] = __ldg(a.factors + factorAt(e, q, c));
    }
#else
    const Corners corners = cornersOf(a, e);
    point(q, corners.x INPUTS, p);
#endif
}

// What the factors at point q make of function i: a row of the element matrix is the product of it and all functions.
__device__ __forceinline__ void actOn(const Arguments& a, int e, int i, int q, REAL* h) {
    REAL p[P];
    factorsOf(a, e, q, p);
    column(q, i, p, h);
}

#if AROUND
// A row of the matrix of a square of degree 1: sums over the points in one direction come first, which its functions share.
__device__ __forceinline__ void rowFrom(const Arguments& a, int e, int i, const Corners& corners, REAL* k) {
    REAL first[L] = {}, second[L] = {};
#pragma unroll
    for (int j = 0; j < U; j++) {
        k[j] = 0;
    }
#pragma unroll
    for (int q = 0; q < Q; q++) {
        REAL p[P], h[S];
        point(q, corners.x INPUTS, p);
        column(q, i, p, h);
        first[q / L] += h[1];
        second[q % L] += h[2];
#if REACTIVE
#pragma unroll
        for (int j = 0; j < U; j++) {
            k[j] += BASIS[q * V * N + j] * h[0];
        }
#endif
    }
#if DIFFUSIVE
    const REAL low = LINE[0] * first[0] + LINE[2] * first[1], high = LINE[1] * first[0] + LINE[3] * first[1];
    const REAL left = LINE[0] * second[0] + LINE[2] * second[1], right = LINE[1] * second[0] + LINE[3] * second[1];
    k[0] += -low - left;
    k[1] += low - right;
    k[2] += left - high;
    k[3] += high + right;
#endif
}
#elif DIRECT
// A row of an element matrix whose points are there.
__device__ __forceinline__ void rowFrom(const Arguments& a, int e, int i, const Corners& corners, REAL* k) {
#pragma unroll
    for (int j = 0; j < U; j++) {
        k[j] = 0;
    }
#pragma unroll
    for (int q = 0; q < Q; q++) {
        REAL p[P], h[S];
        point(q, corners.x INPUTS, p);
        column(q, i, p, h);
#pragma unroll
        for (int j = 0; j < U; j++) {
            k[j] = rowAnd(k[j], q, j, h);
        }
    }
}
#endif

// A row of an element matrix by SHARING threads; each hands over the entries that it has computed.
template <class PUT>
__device__ __forceinline__ void rowOf(const Arguments& a, int e, int i, bool active, int lane, REAL* shared, PUT put) {
#if DIRECT
    if (active) {
        REAL k[U];
        rowFrom(a, e, i, cornersOf(a, e), k);
        for (int j = 0; j < U; j++) {
            put(j, k[j]);
        }
    }
#elif SHARING == 1
    if (active) {
        REAL k[U] = {};
        for (int q = 0; q < Q; q++) {
            REAL h[S];
            actOn(a, e, i, q, h);
            for (int j = 0; j < U; j++) {
                k[j] += row(q, j, h);
            }
        }
        for (int j = 0; j < U; j++) {
            put(j, k[j]);
        }
    }
#elif FACTORISED
    // What the factors make of function i, component by component; then its derivatives are collected at the points, and
    // the points of one direction after the other become functions. In space 6 n^4 multiplications and not 3 n^6.
    if (active) {
        for (int q = lane; q < Q; q += SHARING) {
            REAL h[S];
            actOn(a, e, i, q, h);
            for (int s = 0; s < V; s++) {
                shared[s * Q + q] = h[s];
            }
        }
    }
    __syncwarp(ALL);
#if DIFFUSIVE
    if (active) {
        for (int q = lane; q < Q; q += SHARING) {
            const int x = q % L;
            const int y = q / L % L;
            const int z = q / (L * L);
            REAL sum = shared[q];
            for (int m = 0; m < L; m++) {
                sum += SLOPES[m * L + x] * shared[Q + q + m - x] + SLOPES[m * L + y] * shared[2 * Q + q + (m - y) * L];
                if (D == 3) sum += SLOPES[m * L + z] * shared[(V - 1) * Q + q + (m - z) * L * L];
            }
            shared[q] = sum;
        }
    }
    __syncwarp(ALL);
#endif
    if (active) {
        for (int q = lane; q < Q; q += SHARING) {
            const int x = q % L;
            REAL sum = 0;
            for (int m = 0; m < L; m++) {
                sum += LINE[m * L + x] * shared[q + m - x];
            }
            shared[Q + q] = sum;
        }
    }
    __syncwarp(ALL);
    if (D == 3) {
        if (active) {
            for (int q = lane; q < Q; q += SHARING) {
                const int y = q / L % L;
                REAL sum = 0;
                for (int m = 0; m < L; m++) {
                    sum += LINE[m * L + y] * shared[Q + q + (m - y) * L];
                }
                shared[2 * Q + q] = sum;
            }
        }
        __syncwarp(ALL);
    }
    if (active) {
        const int stride = D == 3 ? L * L : L;
        for (int j = lane; j < U; j += SHARING) {
            const int z = j / stride;
            REAL sum = 0;
            for (int m = 0; m < L; m++) {
                sum += LINE[m * L + z] * shared[(D - 1) * Q + j + (m - z) * stride];
            }
            put(j, sum);
        }
    }
    __syncwarp(ALL);
#else
    if (active) {
        for (int q = lane; q < Q; q += SHARING) {
            REAL h[S];
            actOn(a, e, i, q, h);
            for (int s = LOW; s < HIGH; s++) {
                shared[q * V + s] = h[s];
            }
        }
    }
    __syncwarp(ALL);
    if (active) {
        for (int j = lane; j < U; j += SHARING) {
            REAL sum = 0;
            for (int q = 0; q < Q; q++) {
                sum += row(q, j, shared + q * V);
            }
            put(j, sum);
        }
    }
    __syncwarp(ALL);
#endif
}
