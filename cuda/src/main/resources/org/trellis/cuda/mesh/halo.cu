// Messages between ranks: values of chosen elements are copied out of the memory of dats into messages, which may be in
// the memory of another device, and back. Values are moved as bits, whatever their type.
//
// THREADS: threads of a block, each of which has a chunk of one part of a message.

#define OPERANDS 64

struct Operand {
    char* data;
    // Distances in components.
    int elementStride;
    int componentStride;
};

struct Chunk {
    // Where the part begins in its message.
    char* message;
    // The elements of the part.
    const int* places;
    // The values that this block moves, counted from the beginning of the part.
    int from;
    int to;
    int components;
    int operand;
    // The size of a value, 4 or 8.
    int bytes;
    int unused;
};

struct Arguments {
    const Chunk* chunks;
    Operand operands[OPERANDS];
};

__device__ __forceinline__ long long placeOf(const Chunk& chunk, const Operand& operand, int value) {
    const int element = value / chunk.components;
    return (long long) chunk.places[element] * operand.elementStride
            + (long long) (value - element * chunk.components) * operand.componentStride;
}

template <class T> __device__ __forceinline__ void packChunk(const Chunk& chunk, const Operand& operand) {
    for (int i = chunk.from + (int) threadIdx.x; i < chunk.to; i += THREADS) {
        ((T*) chunk.message)[i] = ((const T*) operand.data)[placeOf(chunk, operand, i)];
    }
}

template <class T> __device__ __forceinline__ void unpackChunk(const Chunk& chunk, const Operand& operand) {
    for (int i = chunk.from + (int) threadIdx.x; i < chunk.to; i += THREADS) {
        ((T*) operand.data)[placeOf(chunk, operand, i)] = ((const T*) chunk.message)[i];
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) trellisPack(const __grid_constant__ Arguments a) {
    const Chunk& chunk = a.chunks[blockIdx.x];
    if (chunk.bytes == 8) {
        packChunk<long long>(chunk, a.operands[chunk.operand]);
    } else {
        packChunk<int>(chunk, a.operands[chunk.operand]);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) trellisUnpack(const __grid_constant__ Arguments a) {
    const Chunk& chunk = a.chunks[blockIdx.x];
    if (chunk.bytes == 8) {
        unpackChunk<long long>(chunk, a.operands[chunk.operand]);
    } else {
        unpackChunk<int>(chunk, a.operands[chunk.operand]);
    }
}
