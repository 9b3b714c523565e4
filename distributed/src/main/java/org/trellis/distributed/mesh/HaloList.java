package org.trellis.distributed.mesh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.mesh.MeshMap;

/** Which owned elements go to each rank, and where its elements come to, for one {@link HaloKey}. */
final class HaloList {
    private final int[][] sends;
    private final int[][] receives;

    private HaloList(int[][] sends, int[][] receives) {
        this.sends = sends;
        this.receives = receives;
    }

    /** The places of owned elements that a rank wants. */
    int[] sends(int rank) {
        return sends[rank];
    }

    /** The places of a rank's elements, in the order in which it sends them. */
    int[] receives(int rank) {
        return receives[rank];
    }

    /** Makes the list. Called by all ranks: owners are told what is wanted of them. */
    static HaloList of(HaloKey key, LocalSet set, LocalSet from, MeshMap map, BitSet runs, Communicator communicator) {
        BitSet wanted = new BitSet();
        int owned = set.parts().owned();
        if (key.map() == null) {
            wanted.set(owned, set.parts().ends().get(key.level()));
            if (!key.through().isEmpty()) {
                wanted.and(runs);
            }
        } else {
            MapRows.each(map, from.parts().executed(key.level()), (element, target) -> {
                if (target >= owned && runs.get(element)) {
                    wanted.set(target);
                }
            });
        }
        int[][] receives = new int[communicator.size()][];
        byte[][] questions = new byte[communicator.size()][];
        int[] counts = new int[communicator.size()];
        wanted.stream().forEach(place -> counts[set.haloRank(place)]++);
        for (int rank = 0; rank < counts.length; rank++) {
            receives[rank] = new int[counts[rank]];
            questions[rank] = new byte[counts[rank] * Integer.BYTES];
            counts[rank] = 0;
        }
        wanted.stream().forEach(place -> {
            int rank = set.haloRank(place);
            receives[rank][counts[rank]] = place;
            buffer(questions[rank]).putInt(counts[rank]++ * Integer.BYTES, set.user(place));
        });
        byte[][] asked = communicator.exchange(questions);
        int[][] sends = new int[communicator.size()][];
        for (int rank = 0; rank < asked.length; rank++) {
            ByteBuffer numbers = buffer(asked[rank]);
            sends[rank] = new int[asked[rank].length / Integer.BYTES];
            for (int i = 0; i < sends[rank].length; i++) {
                sends[rank][i] = set.place(numbers.getInt());
            }
        }
        return new HaloList(sends, receives);
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }
}
