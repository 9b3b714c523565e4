package org.trellis.bench.prediction;

/** The messages of one exchange: what each rank receives. */
interface RankMessages {
    /** An exchange of nothing. */
    RankMessages NONE = new RankMessages() {
        private static final int[] NO_RANKS = {};

        @Override
        public int[] sources(int rank) {
            return NO_RANKS;
        }

        @Override
        public long elements(int rank, int source) {
            return 0;
        }
    };

    /**
     * Returns the ranks that send to a rank.
     *
     * @param rank who receives
     * @return ranks; not to be changed
     */
    int[] sources(int rank);

    /**
     * Returns the elements of a message.
     *
     * @param rank   who receives
     * @param source the place of the sender among the sources
     * @return at least 1
     */
    long elements(int rank, int source);

    /**
     * Returns the messages of a halo.
     *
     * @param halos   the halos
     * @param rings   how many are exchanged
     * @param vectors of how many vectors
     */
    static RankMessages of(PartHalos halos, int rings, int vectors) {
        return new RankMessages() {
            @Override
            public int[] sources(int rank) {
                return halos.parts().get(rank).sources();
            }

            @Override
            public long elements(int rank, int source) {
                return vectors * halos.parts().get(rank).received(source, rings);
            }
        };
    }
}
