// Values that lie together in memory and come into the shared memory of a block, while its threads do something else.
// They may begin anywhere; what is copied are words of 16 bytes, so that up to 15 bytes before and behind them are read
// too. The device copies by itself (PTX ISA 8.0, section 9.7.9.25.4, cp.async.bulk, and 9.7.13.15, mbarrier); where the
// code runs elsewhere threads copy.
//
// THREADS: threads of a block.

template <class T, int N>
class Brought {
    struct alignas(16) Word {
        unsigned parts[4];
    };

    Word words[(N * sizeof(T) + 15) / 16 + 1];
    unsigned long long barrier;
    int shift;

#ifdef __CUDA_ARCH__
    static __device__ __forceinline__ unsigned shared(const void* address) {
        return (unsigned) __cvta_generic_to_shared(address);
    }
#endif

public:
    // All threads of the block call it; await comes behind a barrier of the block.
    __device__ __forceinline__ void begin(const T* from, int count) {
        const unsigned long long address = (unsigned long long) from;
        const int before = (int) (address & 15);
        const Word* const source = (const Word*) (address - before);
        const int size = (before + count * (int) sizeof(T) + 15) / 16;
        if (threadIdx.x == 0) {
            shift = before / (int) sizeof(T);
#ifdef __CUDA_ARCH__
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(shared(&barrier)) : "memory");
            asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(shared(&barrier)),
                    "r"(16 * size) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                    : : "r"(shared(words)), "l"(source), "r"(16 * size), "r"(shared(&barrier)) : "memory");
#endif
        }
#ifndef __CUDA_ARCH__
        for (int k = threadIdx.x; k < size; k += THREADS) {
            words[k] = source[k];
        }
#endif
    }

    // Waits for the values; what the thread itself reads is there then, and all behind the next barrier of the block.
    __device__ __forceinline__ void await() {
#ifdef __CUDA_ARCH__
        asm volatile("{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@done bra gone;\n"
                "bra again;\ngone:\n}" : : "r"(shared(&barrier)) : "memory");
#endif
    }

    __device__ __forceinline__ T* values() {
        return (T*) words + shift;
    }
};
