package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.distributed.communicate.Packet;

/** Which elements lead to each element that is at home here through a map. */
final class HomeInverse {
    private final int first;
    private final int[] offsets;
    private final int[] elements;

    private HomeInverse(int first, int[] offsets, int[] elements) {
        this.first = first;
        this.offsets = offsets;
        this.elements = elements;
    }

    /** Tells homes who leads to them. Called by all ranks. */
    static HomeInverse of(HomeRows rows, Homes homes) {
        HomeMail mail = new HomeMail(homes.communicator());
        rows.each((element, target) -> mail.to(homes.of(rows.map().to(), target)).put(target).put(element));
        byte[][] received = mail.sendBytes();
        int first = homes.first(rows.map().to());
        int[] offsets = new int[homes.end(rows.map().to()) - first + 1];
        int count = 0;
        for (byte[] bytes : received) {
            for (Packet packet = Packet.of(bytes); packet.hasMore(); packet.getInt()) {
                offsets[packet.getInt() - first + 1]++;
                count++;
            }
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] next = offsets.clone();
        int[] elements = new int[count];
        for (byte[] bytes : received) {
            for (Packet packet = Packet.of(bytes); packet.hasMore();) {
                elements[next[packet.getInt() - first]++] = packet.getInt();
            }
        }
        return new HomeInverse(first, offsets, elements);
    }

    /** Where the elements that lead to one start; also for the first that is not at home here. */
    int start(int target) {
        return offsets[target - first];
    }

    int element(int place) {
        return elements[place];
    }
}
