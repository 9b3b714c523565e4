package org.trellis.bench.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Whose turn it is. Every contender has one turn a round, and each round has an order of its own, drawn from a seed, so
 * that slow changes of the machine meet all alike and no contender always follows the same other one.
 */
public final class Schedule {
    private Schedule() {}

    /**
     * Draws the order of all turns.
     *
     * @param contenders how many take part
     * @param rounds     turns of each
     * @param seed       the same seed gives the same order
     * @return for each round a permutation of {@code 0 ... contenders − 1}
     */
    public static List<List<Integer>> rounds(int contenders, int rounds, long seed) {
        Random random = new Random(seed);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < contenders; i++) {
            order.add(i);
        }
        List<List<Integer>> all = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            Collections.shuffle(order, random);
            all.add(List.copyOf(order));
        }
        return all;
    }
}
