/*
 * Scalar forms with several threads for an element or a row. element.cuh has the integrals: tables, the factors of a
 * point and how they act. REAL is the element type, THREADS the block size. Elements are numbered by int; places in arrays need more.
 *
 * SHARING   threads that share a row of an element matrix, a power of two up to 32
 * STORED    1 where factors have been computed, 0 where points are computed when they are needed
 * ATOMIC    1 where elements add to the result, 0 where what they add is stored and gathered by rows
 * BY_ENTRY  1 where entry k of the matrix of element e lies at k * cells + e, and factors of the elements of a warp lie
 *           together, entry by entry; 0 where those of an element lie side by side
 * WIDE      1 where places within a row have two bytes, 0 for one; the largest means: not in the matrix
 * SEARCH    1 where places are looked for in the columns of the row, and there are no others
 * FACTORISED 1 where rows of element matrices are made by sums over one direction after the other; SHARING is 2 or more then
 * MATRICES  1 where element matrices are kept, so that sweeps read them
 * APPLIED   1 where elements are multiplied by sum factorisation, without their matrices
 * SPACE     1 for forms in three dimensions
 * TOGETHER  elements of a block of that product, where a thread has less than one
 * TILED     1 where factors of those elements lie together, in the order in which the block's threads ask for them
 */
#include "element.cuh"

#if SEARCH
typedef int PLACE;
#elif WIDE
typedef unsigned short PLACE;
#else
typedef unsigned char PLACE;
#endif

// All members have 8 bytes.
struct Arguments {
    double alpha;
    double beta;
    const REAL* x;
    REAL* y;
    REAL* values;             // of compressed rows, or element matrices
    long long cells;
    long long rows;
    const int* unknowns;      // of elements
    const int* points;        // of the maps of elements
    const REAL* coordinates;
    const REAL* c1;
    const REAL* c2;
    REAL* factors;            // component c of point q of element e is at factorAt(e, q, c)
    const int* rowOffsets;
    const int* slotOffsets;   // of the elements of a row
    const int* slots;         // e * U + i: the row is row i of element e
    const PLACE* places;      // in its row of entry j of row i of element e, at (e * U + i) * U + j; or all columns
    REAL* contributions;
    long long mostSlots;
    long long capacity;       // values that the rows of a block have at most
    const int* order;         // rows by their colours
    long long first;          // the rows of a colour in the order, and their number
    long long count;
    const REAL* base;         // what a sweep takes products from; of a load its values at the points
    const REAL* inverse;      // of the diagonal
};

#define ALL 0xffffffffu
#define NOWHERE ((PLACE) ~0)
// Contributions that a row asks for at a time.
#define TOGETHER_GATHERED 4

#include "elementrows.cuh"

// Of sources whose points are computed. By entry a thread has an element, otherwise a point.
extern "C" __global__ void __launch_bounds__(THREADS) formFactors(const __grid_constant__ Arguments a) {
    const long long at = (long long) blockIdx.x * THREADS + threadIdx.x;
#if BY_ENTRY
    if (at < a.cells) {
        const int e = at;
        const Corners corners = cornersOf(a, e);
        for (int q = 0; q < Q; q++) {
            REAL p[P];
            point(q, corners.x INPUTS, p);
            for (int c = 0; c < P; c++) {
                a.factors[factorAt(e, q, c)] = p[c];
            }
        }
    }
#else
#if TILED
    // Neighbouring threads write neighbouring factors.
    const int inTile = at % (TOGETHER * Q);
    const int point = inTile % (TOGETHER * L * L) % (L * L);
    const long long e = at / (TOGETHER * Q) * TOGETHER + inTile % (TOGETHER * L * L) / (L * L);
    const int q = point % L + inTile / (TOGETHER * L * L) * L + point / L * (L * L);
#else
    const long long e = at / Q;
    const int q = at % Q;
#endif
    if (e < a.cells) {
        REAL p[P];
        factorsOf(a, e, q, p);
        for (int c = 0; c < P; c++) {
            a.factors[factorAt(e, q, c)] = p[c];
        }
    }
#endif
}

// The place of a column among those of a row, which has it.
__device__ __forceinline__ int placeOf(const int* columns, int count, int column) {
    int low = 0;
    int high = count - 1;
    while (low < high) {
        const int middle = (low + high) >> 1;
        if (__ldg(columns + middle) < column) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

#if !SEARCH
// Places in their rows of the entries of element matrices; of order, the columns of all rows. In the order of the columns
// of one element, neighbouring threads go through the same row.
extern "C" __global__ void __launch_bounds__(THREADS) formPlaces(const __grid_constant__ Arguments a) {
    for (long long at = (long long) blockIdx.x * THREADS + threadIdx.x; at < a.cells * U * U;
            at += (long long) gridDim.x * THREADS) {
        const long long k = at / U;
        const int row = a.unknowns[k];
        const int column = a.unknowns[k / U * U + at % U];
        PLACE place = NOWHERE;
        if (row < a.rows && column < a.rows) {
            const int start = a.rowOffsets[row];
            place = (PLACE) placeOf(a.order + start, a.rowOffsets[row + 1] - start, column);
        }
        const_cast<PLACE*>(a.places)[at] = place;
    }
}
#endif

// The places of a row of an element matrix: four of them are one word, which stays in one register.
struct Places {
    const PLACE* from;
#if WIDE
    unsigned long long word;
#else
    unsigned word;
#endif

    __device__ __forceinline__ Places(const Arguments& a, int code) : from(a.places + (long long) code * U), word(0) {
        if (U == 4 && sizeof(word) == 4 * sizeof(PLACE)) {
            word = *(const decltype(word)*) from;
        }
    }

    __device__ __forceinline__ PLACE operator[](int j) const {
        return U == 4 && sizeof(word) == 4 * sizeof(PLACE) ? (PLACE) (word >> (8 * sizeof(PLACE) * j)) : from[j];
    }
};

// Blocks of rows that a multiprocessor is to have room for, which limits registers: of squares of degree 1 these.
#define ROWS_RESIDENT (AROUND ? 8 : 1)

#if AROUND
// Of nine nodes in three rows that lie around one, corner j of square s.
#define NINTH(s, j) ((s) % 2 + (s) / 2 * 3 + (j) % 2 + (j) / 2 * 3)

// Four squares around the node of a row, in the order in which most meshes have them, so that the row is corner 3 - s of
// square s. Nine points are loaded and not sixteen, and sums stay in registers.
struct Around {
    int points[9];
    int places[9];
    int squares[4];

    // Says whether a row is one of these.
    __device__ __forceinline__ bool found(const Arguments& a, int from, int size) {
        bool is = size == 4;
        if (is) {
#pragma unroll
            for (int k = 0; k < 9; k++) {
                places[k] = -1;
            }
#pragma unroll
            for (int s = 0; s < 4; s++) {
                const int code = a.slots[from + s];
                const Places words(a, code);
                int p[4];
                squares[s] = code / 4;
                pointsOf(a, squares[s], p);
                is &= code % 4 == 3 - s;
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    const int at = NINTH(s, j);
                    const int place = words[j];
                    is &= place != NOWHERE && (places[at] < 0 || (places[at] == place && points[at] == p[j]));
                    places[at] = place;
                    points[at] = p[j];
                }
            }
        }
        return is;
    }

    __device__ __forceinline__ void row(const Arguments& a, REAL* to) const {
        REAL x[9][2];
        REAL sums[9] = {};
#pragma unroll
        for (int k = 0; k < 9; k++) {
            const Pack<REAL, 2> one = *(const Pack<REAL, 2>*) (a.coordinates + (long long) points[k] * 2);
            x[k][0] = one.v[0];
            x[k][1] = one.v[1];
        }
#pragma unroll
        for (int s = 0; s < 4; s++) {
            Corners corners;
            REAL k[U];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                corners.x[j][0] = x[NINTH(s, j)][0];
                corners.x[j][1] = x[NINTH(s, j)][1];
            }
            rowFrom(a, squares[s], 3 - s, corners, k);
#pragma unroll
            for (int j = 0; j < 4; j++) {
                sums[NINTH(s, j)] += k[j];
            }
        }
#pragma unroll
        for (int k = 0; k < 9; k++) {
            to[places[k]] = sums[k];
        }
    }
};
#endif

#if DIRECT && !SEARCH
// A row of some elements, in their order, by one thread.
__device__ __forceinline__ void directRow(const Arguments& a, int from, int size, REAL* mine, int length) {
    for (int k = 0; k < length; k++) {
        mine[k] = 0;
    }
    // Slots, points and coordinates hang on each other: each is asked for one turn before the next.
    int code = size > 0 ? a.slots[from] : 0;
    int next = size > 1 ? a.slots[from + 1] : 0;
    int p[M];
    pointsOf(a, code / U, p);
    for (int s = 0; s < size; s++) {
        Corners corners;
        corners.bring(a, p);
        const Places places(a, code);
        const int after = s + 2 < size ? a.slots[from + s + 2] : 0;
        pointsOf(a, next / U, p);
        REAL k[U];
        rowFrom(a, code / U, code % U, corners, k);
#pragma unroll
        for (int j = 0; j < U; j++) {
            const PLACE place = places[j];
            if (place != NOWHERE) {
                mine[place] += k[j];
            }
        }
        code = next;
        next = after;
    }
}
#endif

// Compressed rows, some of them by each block: elements add to a row in their order, so the bits are the same each time.
extern "C" __global__ void __launch_bounds__(THREADS, ROWS_RESIDENT) formRows(const __grid_constant__ Arguments a) {
    extern __shared__ __align__(16) unsigned char pool[];
    REAL* const sums = (REAL*) pool;
    const long long first = (long long) blockIdx.x * (THREADS / SHARING);
    const long long last = first + THREADS / SHARING < a.rows ? first + THREADS / SHARING : a.rows;
    const int start = a.rowOffsets[first];
    const int count = a.rowOffsets[last] - start;
#if !DIRECT || SEARCH
    for (int k = threadIdx.x; k < count; k += THREADS) {
        sums[k] = 0;
    }
    __syncthreads();
#endif
    const int own = threadIdx.x / SHARING;
    const bool active = first + own < last;
    REAL* const mine = sums + (active ? a.rowOffsets[first + own] - start : 0);
#if SEARCH
    const int begin = active ? a.rowOffsets[first + own] : 0;
    const int length = active ? a.rowOffsets[first + own + 1] - begin : 0;
#endif
    const int from = active ? a.slotOffsets[first + own] : 0;
    const int size = active ? a.slotOffsets[first + own + 1] - from : 0;
#if DIRECT && !SEARCH
#if AROUND
    Around around;
    if (around.found(a, from, size)) {
        around.row(a, mine);
    } else
#endif
        directRow(a, from, size, mine, active ? a.rowOffsets[first + own + 1] - a.rowOffsets[first + own] : 0);
#else
    for (int s = 0; s < a.mostSlots; s++) {
        const int code = s < size ? a.slots[from + s] : 0;
#if SEARCH
        const int* const others = a.unknowns + (long long) (code / U) * U;
#else
        const PLACE* const places = a.places + (long long) code * U;
#endif
        rowOf(a, code / U, code % U, s < size, threadIdx.x % SHARING, sums + a.capacity + own * Q * V, [&](int j, REAL k) {
#if SEARCH
            const int column = others[j];
            if (column < a.rows) {
                mine[placeOf(a.places + begin, length, column)] += k;
            }
#else
            const PLACE place = places[j];
            if (place != NOWHERE) {
                mine[place] += k;
            }
#endif
        });
    }
#endif
    __syncthreads();
    for (int k = threadIdx.x; k < count; k += THREADS) {
        a.values[start + k] = sums[k];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) formMatrices(const __grid_constant__ Arguments a) {
    extern __shared__ __align__(16) unsigned char pool[];
    const long long at = (long long) blockIdx.x * (THREADS / SHARING) + threadIdx.x / SHARING;
    const bool active = at < a.cells * U;
    const int e = active ? (BY_ENTRY ? at % a.cells : at / U) : 0;
    const int i = active ? (BY_ENTRY ? at / a.cells : at % U) : 0;
    rowOf(a, e, i, active, threadIdx.x % SHARING, (REAL*) pool + threadIdx.x / SHARING * Q * V, [&](int j, REAL k) {
        a.values[BY_ENTRY ? (long long) (i * U + j) * a.cells + e : ((long long) e * U + i) * U + j] = k;
    });
}

// What an element adds to its unknown i, which is the row.
__device__ __forceinline__ void giveTo(const Arguments& a, int row, int e, int i, REAL value) {
#if ATOMIC
    if (row < a.rows) {
        atomicAdd(a.y + row, (REAL) a.alpha * value);
    }
#else
    a.contributions[BY_ENTRY ? (long long) i * a.cells + e : (long long) e * U + i] = value;
#endif
}

__device__ __forceinline__ void give(const Arguments& a, int e, int i, REAL value) {
    giveTo(a, ATOMIC ? a.unknowns[(long long) e * U + i] : 0, e, i, value);
}

// Values at the points, in base, times weights and determinants.
extern "C" __global__ void __launch_bounds__(THREADS) formMeasures(const __grid_constant__ Arguments a) {
    for (long long at = (long long) blockIdx.x * THREADS + threadIdx.x; at < a.cells * Q;
            at += (long long) gridDim.x * THREADS) {
        const Corners corners = cornersOf(a, at / Q);
        const_cast<REAL*>(a.base)[at] *= measure(at % Q, corners.x);
    }
}

// What function i of element e is of these.
extern "C" __global__ void __launch_bounds__(THREADS) formLoad(const __grid_constant__ Arguments a) {
    for (long long at = (long long) blockIdx.x * THREADS + threadIdx.x; at < a.cells * U;
            at += (long long) gridDim.x * THREADS) {
        const long long e = at / U;
        const int i = at % U;
        REAL sum = 0;
        for (int q = 0; q < Q; q++) {
            sum += BASIS[q * V * N + i] * a.base[e * Q + q];
        }
        give(a, e, i, sum);
    }
}

// The diagonals of element matrices.
extern "C" __global__ void __launch_bounds__(THREADS) formDiagonal(const __grid_constant__ Arguments a) {
    for (long long at = (long long) blockIdx.x * THREADS + threadIdx.x; at < a.cells * U;
            at += (long long) gridDim.x * THREADS) {
        const int e = at / U;
        const int i = at % U;
        REAL sum = 0;
        for (int q = 0; q < Q; q++) {
            REAL h[S];
            actOn(a, e, i, q, h);
            sum += row(q, i, h);
        }
        give(a, e, i, sum);
    }
}

// The rows of one colour of a sweep, in which no two meet in an element (thesis, algorithm 6): forward, with beta 1,
// y = d (base - A y), backward, with beta 0, y = base - d A y, where y is zero in rows whose colours are still to come.
extern "C" __global__ void __launch_bounds__(THREADS) formSweep(const __grid_constant__ Arguments a) {
    extern __shared__ __align__(16) unsigned char pool[];
    const int own = threadIdx.x / SHARING;
    const int lane = threadIdx.x % SHARING;
    const long long at = (long long) blockIdx.x * (THREADS / SHARING) + own;
    const bool active = at < a.count;
    const int row = active ? a.order[a.first + at] : 0;
    const int from = active ? a.slotOffsets[row] : 0;
    const int size = active ? a.slotOffsets[row + 1] - from : 0;
    REAL sum = 0;
    for (int s = 0; s < a.mostSlots; s++) {
        const long long code = s < size ? a.slots[from + s] : 0;
        const long long e = code / U;
        const int i = code % U;
        const int* const others = a.unknowns + e * U;
#if MATRICES
        if (s < size) {
            for (int j = lane; j < U; j += SHARING) {
                const int unknown = others[j];
                if (unknown < a.rows) {
                    sum += a.values[BY_ENTRY ? (i * U + j) * a.cells + e : code * U + j] * a.y[unknown];
                }
            }
        }
#else
        rowOf(a, e, i, s < size, lane, (REAL*) pool + own * Q * V, [&](int j, REAL k) {
            const int unknown = others[j];
            if (unknown < a.rows) {
                sum += k * a.y[unknown];
            }
        });
#endif
    }
#if SHARING > 1
    for (int distance = SHARING / 2; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(ALL, sum, distance);
    }
#endif
    if (active && lane == 0) {
        const REAL d = a.inverse[row];
        a.y[row] = a.beta == 0 ? a.base[row] - d * sum : d * (a.base[row] - sum);
    }
}

__device__ __forceinline__ REAL take(const Arguments& a, long long at) {
    const int unknown = a.unknowns[at];
    return unknown < a.rows ? __ldg(a.x + unknown) : 0;
}

// The product of element matrices, which are symmetric. By entry a thread has an element; otherwise U of them have one.
extern "C" __global__ void __launch_bounds__(THREADS) formProduct(const __grid_constant__ Arguments a) {
#if BY_ENTRY
    const long long e = (long long) blockIdx.x * THREADS + threadIdx.x;
    if (e < a.cells) {
        REAL u[U];
        for (int j = 0; j < U; j++) {
            u[j] = take(a, e * U + j);
        }
        for (int i = 0; i < U; i++) {
            REAL sum = 0;
            for (int j = 0; j < U; j++) {
                sum += __ldcs(a.values + (long long) (i * U + j) * a.cells + e) * u[j];
            }
            give(a, e, i, sum);
        }
    }
#else
    __shared__ REAL u[THREADS];
    const int own = threadIdx.x / U;
    const int i = threadIdx.x % U;
    const long long e = (long long) blockIdx.x * (THREADS / U) + own;
    const bool active = own < THREADS / U && e < a.cells;
    u[threadIdx.x] = active ? take(a, e * U + i) : 0;
    __syncthreads();
    if (active) {
        const REAL* const k = a.values + e * U * U + i;
        REAL sum = 0;
#pragma unroll 8
        for (int j = 0; j < U; j++) {
            sum += __ldcs(k + j * U) * u[own * U + j];
        }
        give(a, e, i, sum);
    }
#endif
}

// y = beta y, before elements add to it.
extern "C" __global__ void __launch_bounds__(THREADS) formScale(const __grid_constant__ Arguments a) {
    for (long long k = (long long) blockIdx.x * THREADS + threadIdx.x; k < a.rows;
            k += (long long) gridDim.x * THREADS) {
        a.y[k] = a.beta == 0 ? (REAL) 0 : (REAL) a.beta * a.y[k];
    }
}

// Adds up what elements have given to a row, in their order.
extern "C" __global__ void __launch_bounds__(THREADS) formGather(const __grid_constant__ Arguments a) {
    const long long row = (long long) blockIdx.x * THREADS + threadIdx.x;
    if (row < a.rows) {
        REAL sum = 0;
        const int end = a.slotOffsets[row + 1];
        // Several at a time, since loads of places and of what lies there wait for each other.
        for (int s = a.slotOffsets[row]; s < end; s += TOGETHER_GATHERED) {
            int code[TOGETHER_GATHERED];
            REAL given[TOGETHER_GATHERED];
#pragma unroll
            for (int k = 0; k < TOGETHER_GATHERED; k++) {
                code[k] = s + k < end ? a.slots[s + k] : -1;
            }
#pragma unroll
            for (int k = 0; k < TOGETHER_GATHERED; k++) {
                given[k] = code[k] >= 0
                        ? a.contributions[BY_ENTRY ? (long long) (code[k] % U) * a.cells + code[k] / U : code[k]]
                        : 0;
            }
#pragma unroll
            for (int k = 0; k < TOGETHER_GATHERED; k++) {
                if (s + k < end) {
                    sum += given[k];
                }
            }
        }
        sum *= (REAL) a.alpha;
        a.y[row] = a.beta == 0 ? sum : sum + (REAL) a.beta * a.y[row];
    }
}

#if APPLIED
#include "factorised.cuh"
#endif
