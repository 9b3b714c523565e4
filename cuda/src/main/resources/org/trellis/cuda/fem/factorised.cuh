/*
 * The product by sum factorisation, formApply: elements are multiplied without their matrices, by sums over one direction
 * after the other. A thread has a whole element, or a line of one in space, or a node of one in the plane. Included by
 * forms.cu behind what elements take and give, whose macros are meant here too, and these:
 *
 * RESIDENT  blocks that a multiprocessor is to have room for where a thread has a whole element in its registers
 * STAGED    1 where stored factors come into shared memory, on devices that copy by themselves
 */
#if STAGED && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#undef STAGED
#define STAGED 0
#endif

#if BY_ENTRY
#define PITCH (U | 1)

// Each line of L values in one direction, a distance apart, becomes L other ones: the products with the rows of LINE, or
// with its columns.
template <bool COLUMNS>
__device__ __forceinline__ void alongLines(REAL* v, int distance) {
#pragma unroll
    for (int first = 0; first < U; first++) {
        if (first / distance % L == 0) {
            REAL line[L];
#pragma unroll
            for (int k = 0; k < L; k++) {
                line[k] = v[first + k * distance];
            }
#pragma unroll
            for (int k = 0; k < L; k++) {
                REAL sum = 0;
#pragma unroll
                for (int m = 0; m < L; m++) {
                    sum += (COLUMNS ? LINE[m * L + k] : LINE[k * L + m]) * line[m];
                }
                v[first + k * distance] = sum;
            }
        }
    }
}

template <bool COLUMNS>
__device__ __forceinline__ void alongAll(REAL* v) {
    alongLines<COLUMNS>(v, 1);
    alongLines<COLUMNS>(v, L);
    if (D == 3) alongLines<COLUMNS>(v, L * L);
}

#if ATOMIC
// Where the last node of a line of this thread's element is the first one of the next thread's, that one has its sum and
// adds both: a third fewer atomic operations at degree 2. Returns the nodes that have been passed on.
__device__ __forceinline__ unsigned long long passOn(const int* own, REAL* sums, bool active) {
    const int lane = threadIdx.x & 31;
    unsigned long long given = 0;
#pragma unroll
    for (int j = 0; j < U; j += L) {
        const int before = __shfl_sync(ALL, active ? own[j + L - 1] : -1, (lane + 31) & 31);
        const int after = __shfl_sync(ALL, active ? own[j] : -1, (lane + 1) & 31);
        const REAL more = __shfl_sync(ALL, sums[j + L - 1], (lane + 31) & 31);
        if (lane > 0 && before == own[j]) {
            sums[j] += more;
        }
        if (lane < 31 && after == own[j + L - 1]) {
            given |= 1ull << (j + L - 1);
        }
    }
    return given;
}
#endif

// The product by sum factorisation, of small elements: a thread has a whole element in its registers.
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) formApply(const __grid_constant__ Arguments a) {
    // Threads read the numbers of an element side by side, and each then has its own.
    __shared__ int unknowns[THREADS * PITCH];
    const long long first = (long long) blockIdx.x * THREADS;
    const int elements = a.cells - first < THREADS ? a.cells - first : THREADS;
    for (int k = threadIdx.x; k < elements * U; k += THREADS) {
        unknowns[k / U * PITCH + k % U] = a.unknowns[first * U + k];
    }
    __syncthreads();
    // Threads without an element stay for exchanges, with the first one's.
    const bool active = threadIdx.x < elements;
    if (!ATOMIC && !active) {
        return;
    }
    const int mine = active ? threadIdx.x : 0;
    const long long e = first + mine;
    const int* const own = unknowns + mine * PITCH;
    REAL v[U];
    REAL sums[U] = {};
#pragma unroll
    for (int j = 0; j < U; j++) {
        v[j] = own[j] < a.rows ? __ldg(a.x + own[j]) : 0;
    }
    alongAll<false>(v);
#pragma unroll
    for (int q = 0; q < Q; q++) {
        const int at[3] = {q % L, q / L % L, q / (L * L)};
        const int distances[3] = {1, L, L * L};
        REAL p[P], g[S] = {}, h[S] = {};
#pragma unroll
        for (int c = 0; c < P; c++) {
            p[c] = __ldcs(a.factors + factorAt(e, q, c));
        }
        g[0] = v[q];
#if DIFFUSIVE
#pragma unroll
        for (int d = 0; d < D; d++) {
#pragma unroll
            for (int m = 0; m < L; m++) {
                g[1 + d] += SLOPES[at[d] * L + m] * v[q + (m - at[d]) * distances[d]];
            }
        }
#endif
        act(p, g, h);
        sums[q] += h[0];
#if DIFFUSIVE
#pragma unroll
        for (int d = 0; d < D; d++) {
#pragma unroll
            for (int m = 0; m < L; m++) {
                sums[q + (m - at[d]) * distances[d]] += SLOPES[at[d] * L + m] * h[1 + d];
            }
        }
#endif
    }
    alongAll<true>(sums);
    unsigned long long given = active ? 0 : ~0ull;
#if ATOMIC
    given |= passOn(own, sums, active);
#endif
#pragma unroll
    for (int j = 0; j < U; j++) {
        if (!(given >> j & 1)) {
            giveTo(a, own[j], e, j, sums[j]);
        }
    }
}
#elif SPACE
#define PLANE (L * L)
// Lines of an odd length lie on banks of their own.
#define LINE_PITCH (L | 1)
#define PLANE_PITCH (LINE_PITCH * L)
#define VOLUME (PLANE_PITCH * L)

// The products of a line of values and the rows of LINE or SLOPES, or the columns. Those tables read the same from both
// ends, SLOPES with the other sign, so that sums of what lies opposite give one half of each product and differences the
// other: half of the multiplications (A. Solomonoff, J. Comput. Phys. 98, 1992, 174-177).
template <bool OF_SLOPES, bool COLUMNS>
__device__ __forceinline__ void alongLine(const REAL* v, REAL* w) {
    constexpr int HALF = L / 2;
    REAL even[HALF + 1], odd[HALF + 1];
#pragma unroll
    for (int m = 0; m < HALF; m++) {
        even[m] = v[m] + v[L - 1 - m];
        odd[m] = v[m] - v[L - 1 - m];
    }
    if (L % 2 == 1) even[HALF] = v[HALF];
    const REAL* const table = OF_SLOPES ? SLOPES : LINE;
    constexpr int ROW = COLUMNS ? 1 : L;
    constexpr int COLUMN = COLUMNS ? L : 1;
#pragma unroll
    for (int k = 0; k < (L + 1) / 2; k++) {
        REAL ofEven = 0, ofOdd = 0;
#pragma unroll
        for (int m = 0; m < HALF; m++) {
            const REAL one = table[k * ROW + m * COLUMN], opposite = table[k * ROW + (L - 1 - m) * COLUMN];
            ofEven += (REAL) 0.5 * (one + opposite) * even[m];
            ofOdd += (REAL) 0.5 * (one - opposite) * odd[m];
        }
        const bool middle = L % 2 == 1 && k == HALF;
        if (L % 2 == 1 && !(OF_SLOPES && middle)) ofEven += table[k * ROW + HALF * COLUMN] * even[HALF];
        if (middle) {
            w[k] = OF_SLOPES ? ofOdd : ofEven;
        } else {
            w[k] = ofEven + ofOdd;
            w[L - 1 - k] = OF_SLOPES ? ofOdd - ofEven : ofEven - ofOdd;
        }
    }
}

template <bool COLUMNS>
__device__ __forceinline__ void alongLine(REAL* v) {
    REAL w[L];
    alongLine<false, COLUMNS>(v, w);
#pragma unroll
    for (int k = 0; k < L; k++) {
        v[k] = w[k];
    }
}

__device__ __forceinline__ void load(REAL* line, const REAL* from, int distance) {
#pragma unroll
    for (int k = 0; k < L; k++) {
        line[k] = from[k * distance];
    }
}

__device__ __forceinline__ void store(const REAL* line, REAL* to, int distance) {
#pragma unroll
    for (int k = 0; k < L; k++) {
        to[k * distance] = line[k];
    }
}

// The product by sum factorisation in space: a thread has a line of an element, first in the third direction, then in the
// first, then in the second, where its points are, and back; it reads a line from shared memory once, and sums are in its
// registers. Derivatives in one direction are made where lines lie along it, and go with the values to the points. One
// resident block is asked for, so that the compiler takes registers for many loads of factors at a time.
extern "C" __global__ void __launch_bounds__(THREADS, 1) formApply(const __grid_constant__ Arguments a) {
    __shared__ REAL values[TOGETHER * VOLUME];
#if DIFFUSIVE
    __shared__ REAL alongFirst[TOGETHER * VOLUME];
    __shared__ REAL alongThird[TOGETHER * VOLUME];
#endif
    const long long firstElement = (long long) blockIdx.x * TOGETHER;
    const int own = threadIdx.x / PLANE;
    const int low = threadIdx.x % PLANE % L;
    const int high = threadIdx.x % PLANE / L;
    // Threads without an element stay for barriers.
    const bool active = own < TOGETHER && firstElement + own < a.cells;
    const long long unknown = (firstElement + own) * U + threadIdx.x % PLANE;
    const int volume = (active ? own : 0) * VOLUME;
    const int first = volume + low * LINE_PITCH + high * PLANE_PITCH;
    const int second = volume + low + high * PLANE_PITCH;
    const int third = volume + low + high * LINE_PITCH;
    REAL v[L], w[L];
    if (active) {
#pragma unroll
        for (int k = 0; k < L; k++) {
            v[k] = take(a, unknown + k * PLANE);
        }
        alongLine<false>(v);
        store(v, values + third, PLANE_PITCH);
#if DIFFUSIVE
        alongLine<true, false>(v, w);
        store(w, alongThird + third, PLANE_PITCH);
#endif
    }
    __syncthreads();
    if (active) {
        load(v, values + first, 1);
        alongLine<false>(v);
        store(v, values + first, 1);
#if DIFFUSIVE
        alongLine<true, false>(v, w);
        store(w, alongFirst + first, 1);
        load(v, alongThird + first, 1);
        alongLine<false>(v);
        store(v, alongThird + first, 1);
#endif
    }
    __syncthreads();
    if (active) {
        load(v, values + second, LINE_PITCH);
        alongLine<false>(v);
#if DIFFUSIVE
        REAL x[L], z[L];
        load(x, alongFirst + second, LINE_PITCH);
        load(z, alongThird + second, LINE_PITCH);
        alongLine<true, false>(v, w);
        alongLine<false>(x);
        alongLine<false>(z);
#endif
#pragma unroll
        for (int m = 0; m < L; m++) {
            REAL p[P], g[S] = {}, h[S] = {};
#if TILED
#pragma unroll
            for (int c = 0; c < P; c++) {
                p[c] = __ldcs(a.factors + ((long long) blockIdx.x * L * P + m * P + c) * TILE_PITCH + threadIdx.x);
            }
#else
            factorsOf(a, firstElement + own, low + m * L + high * PLANE, p);
#endif
            g[0] = v[m];
#if DIFFUSIVE
            g[1] = x[m];
            g[2] = w[m];
            g[S - 1] = z[m];
#endif
            act(p, g, h);
            v[m] = h[0];
#if DIFFUSIVE
            x[m] = h[1];
            w[m] = h[2];
            z[m] = h[S - 1];
#endif
        }
#if DIFFUSIVE
        REAL sums[L];
        alongLine<true, true>(w, sums);
#pragma unroll
        for (int m = 0; m < L; m++) {
            v[m] += sums[m];
        }
        alongLine<true>(x);
        alongLine<true>(z);
        store(x, alongFirst + second, LINE_PITCH);
        store(z, alongThird + second, LINE_PITCH);
#endif
        alongLine<true>(v);
        store(v, values + second, LINE_PITCH);
    }
    __syncthreads();
    if (active) {
        load(v, values + first, 1);
#if DIFFUSIVE
        REAL sums[L];
        load(w, alongFirst + first, 1);
        alongLine<true, true>(w, sums);
#pragma unroll
        for (int k = 0; k < L; k++) {
            v[k] += sums[k];
        }
        load(w, alongThird + first, 1);
        alongLine<true>(w);
        store(w, alongThird + first, 1);
#endif
        alongLine<true>(v);
        store(v, values + first, 1);
    }
    __syncthreads();
    if (active) {
        load(v, values + third, PLANE_PITCH);
#if DIFFUSIVE
        REAL sums[L];
        load(w, alongThird + third, PLANE_PITCH);
        alongLine<true, true>(w, sums);
#pragma unroll
        for (int k = 0; k < L; k++) {
            v[k] += sums[k];
        }
#endif
        alongLine<true>(v);
#pragma unroll
        for (int k = 0; k < L; k++) {
            give(a, firstElement + own, threadIdx.x % PLANE + k * PLANE, v[k]);
        }
    }
}
#else
#if STAGED
#include "brought.cuh"
#endif

#define PLANE (L * L)

// Of one direction, the sum over L values that lie some distance apart.
__device__ __forceinline__ REAL along(const REAL* weights, int step, const REAL* v, int distance) {
    REAL sum = 0;
#pragma unroll
    for (int m = 0; m < L; m++) {
        sum += weights[m * step] * v[m * distance];
    }
    return sum;
}

// The product by sum factorisation in the plane: a thread has a node, and exchanges with others of its element in shared
// memory. Stored factors of the block's elements come into shared memory together, while operands are gathered.
extern "C" __global__ void __launch_bounds__(THREADS) formApply(const __grid_constant__ Arguments a) {
    __shared__ REAL line[PLANE];
    __shared__ REAL slopes[PLANE];
    __shared__ REAL squares[TOGETHER * PLANE];
    __shared__ REAL others[TOGETHER * PLANE];
    const long long firstElement = (long long) blockIdx.x * TOGETHER;
    const int elements = a.cells - firstElement < TOGETHER ? a.cells - firstElement : TOGETHER;
#if STAGED
    __shared__ Brought<REAL, TOGETHER * P * Q> factors;
    factors.begin(a.factors + firstElement * P * Q, elements * P * Q);
#elif DIFFUSIVE
    __shared__ REAL second[TOGETHER * PLANE];
#endif
    for (int k = threadIdx.x; k < PLANE; k += THREADS) {
        line[k] = LINE[k];
        slopes[k] = SLOPES[k];
    }
    const int own = threadIdx.x / PLANE;
    const int ij = threadIdx.x % PLANE;
    const int i = ij % L;
    const int j = ij / L;
    const bool active = own < elements;
    REAL* const v = squares + (active ? own : 0) * PLANE;
    REAL* const w = others + (active ? own : 0) * PLANE;
    if (active) v[ij] = take(a, firstElement * U + threadIdx.x);
    __syncthreads();
    // To the points: first direction, then second.
    if (active) w[ij] = along(line + i * L, 1, v + j * L, 1);
    __syncthreads();
    const REAL s = along(line + j * L, 1, w + i, L);
    if (DIFFUSIVE && active) v[ij] = s;
#if STAGED
    factors.await();
#endif
    __syncthreads();
    // Derivatives at the points times factors. What is made of the two goes to where it is read across threads: in place
    // of values that have been read, of the first factors, which no other thread reads.
#if STAGED
    REAL* const mine = factors.values() + (active ? own : 0) * P * Q + ij;
    REAL* const fy = mine - ij;
#elif DIFFUSIVE
    REAL* const fy = second + (active ? own : 0) * PLANE;
#endif
    REAL* const fx = w;
    REAL r = 0;
    if (active) {
        REAL p[P], g[S] = {}, h[S] = {};
#if STAGED
#pragma unroll
        for (int c = 0; c < P; c++) {
            p[c] = mine[c * Q];
        }
#else
        factorsOf(a, firstElement + own, ij, p);
#endif
        g[0] = s;
#if DIFFUSIVE
        g[1] = along(slopes + i * L, 1, v + j * L, 1);
        g[2] = along(slopes + j * L, 1, v + i, L);
#endif
        act(p, g, h);
#if DIFFUSIVE
        fx[ij] = h[1];
        fy[ij] = h[2];
#endif
        r = h[0];
    }
    // And back: from derivatives, then from the points in the second direction, the first.
#if DIFFUSIVE
    __syncthreads();
    r += along(slopes + i, L, fx + j * L, 1) + along(slopes + j, L, fy + i, L);
#endif
    if (active) v[ij] = r;
    __syncthreads();
    if (active) w[ij] = along(line + j, L, v + i, L);
    __syncthreads();
    if (active) give(a, firstElement + own, ij, along(line + i, L, w + j * L, 1));
}
#endif
