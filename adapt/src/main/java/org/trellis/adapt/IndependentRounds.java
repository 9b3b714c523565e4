package org.trellis.adapt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.trellis.common.ParallelRanges;

/**
 * Carries out cavity operations in rounds. In each, all candidates that can be done claim the vertices of their
 * cavities with a
 * priority: the urgency, then a mixed-up number of their own. Those that hold all of their vertices win and are done
 * at once, since no two of them share a vertex; the others try again (M. Luby, "A simple parallel algorithm for the
 * maximal
 * independent set problem", SIAM J. Comput. 15, 1986). Priorities depend on nothing but the list of candidates.
 */
final class IndependentRounds {
    private static final VarHandle CLAIMS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int GRAIN = 128;
    private static final int URGENCY_SHIFT = 32;
    private static final int ROUND_SHIFT = 47;
    private static final int MOST_ROUNDS = 1 << 16;
    private static final int UNKNOWN = -2;
    private static final long REFUSED = -1;
    private static final long WON = -2;

    private final CavityMesh mesh;
    private final Team team;
    private long[] claims = new long[0];
    /** The round in which each vertex was last part of a cavity that won. */
    private long[] won = new long[0];
    /** The pass in which each vertex was last part of a cavity. */
    private int[] changed = new int[0];
    private int pass;
    private long round;

    IndependentRounds(CavityMesh mesh, Team team) {
        this.mesh = mesh;
        this.team = team;
    }

    /**
     * Lists candidates of vertices around which something has changed and carries out as many as can be.
     *
     * @param operation the operation
     * @param since     a pass: only what has changed in it or later counts; 0 for everything
     * @return how many were carried out
     */
    int run(CavityOperation operation, int since) {
        AdaptPhase outside = team.clock().enter(AdaptPhase.MARK);
        reach(mesh.vertices);
        pass++;
        long[] candidates = list(operation, since);
        int done = 0;
        int[] active = new int[candidates.length];
        Arrays.setAll(active, i -> i);
        int[] urgencies = new int[active.length];
        Arrays.fill(urgencies, UNKNOWN);
        while (active.length > 0) {
            team.clock().enter(AdaptPhase.PLAN);
            long[] priorities = claim(operation, candidates, active, urgencies);
            team.clock().enter(AdaptPhase.SELECT);
            int[] winners = winners(operation, candidates, active, priorities);
            active = losers(active, priorities);
            forget(operation, candidates, active, urgencies);
            team.clock().enter(AdaptPhase.REPLACE);
            apply(operation, candidates, winners);
            done += winners.length;
        }
        team.clock().enter(outside);
        return done;
    }

    /** Makes room for marks of so many vertices; a new one is marked when it gets elements. */
    private void reach(int vertices) {
        if (changed.length < vertices) {
            changed = Arrays.copyOf(changed, Math.max(vertices, mesh.degrees.length));
        }
    }

    /** Returns whether the surroundings of a vertex have changed in a pass or later. */
    boolean hasChanged(int vertex, int since) {
        return vertex >= changed.length || changed[vertex] >= since;
    }

    /** Returns the number of the last pass. */
    int pass() {
        return pass;
    }

    private long[] list(CavityOperation operation, int since) {
        int pieces = Math.ceilDiv(mesh.vertices, GRAIN);
        LongList[] lists = new LongList[pieces];
        mesh.freeScratch();
        team.run(pieces, 1, () -> new Cavity(mesh), (from, to, cavity) -> {
            for (int piece = from; piece < to; piece++) {
                lists[piece] = new LongList();
                for (int v = piece * GRAIN; v < Math.min(mesh.vertices, (piece + 1) * GRAIN); v++) {
                    if (mesh.isUsed(v) && changed[v] >= since) {
                        operation.list(v, cavity, lists[piece]);
                    }
                }
            }
        });
        int total = 0;
        for (LongList list : lists) {
            total += list.size();
        }
        long[] all = new long[total];
        int filled = 0;
        for (LongList list : lists) {
            list.copyTo(all, filled);
            filled += list.size();
        }
        return all;
    }

    /**
     * Each candidate that can be done claims its vertices; returns priorities, or {@link #REFUSED}. Candidates whose
     * urgency is known have had nothing changed around them, so they can still be done.
     */
    private long[] claim(CavityOperation operation, long[] candidates, int[] active, int[] urgencies) {
        if (claims.length < mesh.vertices) {
            claims = Arrays.copyOf(claims, mesh.degrees.length);
            won = Arrays.copyOf(won, claims.length);
        }
        if (++round == MOST_ROUNDS) {
            Arrays.fill(claims, 0);
            Arrays.fill(won, 0);
            round = 1;
        }
        long[] priorities = new long[active.length];
        phase(active.length, (from, to, cavity) -> {
            for (int i = from; i < to; i++) {
                int urgency = urgencies[active[i]];
                if (urgency == UNKNOWN) {
                    urgency = operation.plan(candidates[active[i]], cavity, -1);
                    urgencies[active[i]] = urgency;
                } else {
                    operation.region(candidates[active[i]], cavity);
                }
                if (urgency == CavityOperation.REFUSED) {
                    priorities[i] = REFUSED;
                    continue;
                }
                priorities[i] = round << ROUND_SHIFT | (long) urgency << URGENCY_SHIFT
                        | Integer.toUnsignedLong(mixed(active[i]));
                cavity.collectVertices();
                for (int k = 0; k < cavity.vertexCount; k++) {
                    raise(cavity.vertices[k], priorities[i]);
                }
            }
        });
        return priorities;
    }

    private void raise(int vertex, long priority) {
        long seen = (long) CLAIMS.getVolatile(claims, vertex);
        while (seen < priority && !CLAIMS.compareAndSet(claims, vertex, seen, priority)) {
            seen = (long) CLAIMS.getVolatile(claims, vertex);
        }
    }

    /** Mixes the bits of a number, one to one, so that neighbours in the list have unrelated priorities. */
    private static int mixed(int number) {
        int h = number * 0x9E3779B1;
        h = (h ^ h >>> 16) * 0x85EBCA6B;
        h = (h ^ h >>> 13) * 0xC2B2AE35;
        return h ^ h >>> 16;
    }

    /** Returns the candidates that hold all of their vertices, in order. */
    private int[] winners(CavityOperation operation, long[] candidates, int[] active, long[] priorities) {
        phase(active.length, (from, to, cavity) -> {
            for (int i = from; i < to; i++) {
                if (priorities[i] != REFUSED) {
                    operation.region(candidates[active[i]], cavity);
                    cavity.collectVertices();
                    boolean holds = true;
                    for (int k = 0; k < cavity.vertexCount && holds; k++) {
                        holds = claims[cavity.vertices[k]] == priorities[i];
                    }
                    if (holds) {
                        priorities[i] = WON;
                        for (int k = 0; k < cavity.vertexCount; k++) {
                            won[cavity.vertices[k]] = round;
                        }
                    }
                }
            }
        });
        int count = 0;
        int[] winners = new int[active.length];
        for (int i = 0; i < active.length; i++) {
            if (priorities[i] == WON) {
                winners[count++] = active[i];
            }
        }
        return Arrays.copyOf(winners, count);
    }

    /** Forgets the urgency of candidates that share a vertex with a winner of this round; all are still as planned. */
    private void forget(CavityOperation operation, long[] candidates, int[] losers, int[] urgencies) {
        phase(losers.length, (from, to, cavity) -> {
            for (int i = from; i < to; i++) {
                operation.region(candidates[losers[i]], cavity);
                cavity.collectVertices();
                for (int k = 0; k < cavity.vertexCount; k++) {
                    if (won[cavity.vertices[k]] == round) {
                        urgencies[losers[i]] = UNKNOWN;
                    }
                }
            }
        });
    }

    private static int[] losers(int[] active, long[] priorities) {
        int count = 0;
        int[] losers = new int[active.length];
        for (int i = 0; i < active.length; i++) {
            if (priorities[i] >= 0) {
                losers[count++] = active[i];
            }
        }
        return Arrays.copyOf(losers, count);
    }

    /** Carries out all winners. Each gets the room for its new elements and vertices before any starts. */
    private void apply(CavityOperation operation, long[] candidates, int[] winners) {
        int[] more = new int[winners.length + 1];
        phase(winners.length, (from, to, cavity) -> {
            for (int i = from; i < to; i++) {
                operation.region(candidates[winners[i]], cavity);
                more[i + 1] = operation.growth(cavity.oldCount());
            }
        });
        for (int i = 0; i < winners.length; i++) {
            more[i + 1] += more[i];
        }
        int firstVertex = mesh.vertices;
        int added = operation.newVertices();
        mesh.reserve((long) added * winners.length, more[winners.length]);
        int firstElement = mesh.elements;
        mesh.clearElements(firstElement, firstElement + more[winners.length]);
        reach(firstVertex + added * winners.length);
        phase(winners.length, (from, to, cavity) -> {
            for (int i = from; i < to; i++) {
                operation.plan(candidates[winners[i]], cavity, firstVertex + added * i);
                cavity.findPatches();
                mesh.replace(cavity, firstElement + more[i]);
                mark(cavity);
            }
        });
        mesh.vertices += added * winners.length;
        mesh.elements += more[winners.length];
    }

    /** Notes that the vertices of a cavity have new surroundings: those of the new elements, for others are gone. */
    private void mark(Cavity cavity) {
        for (int i = 0; i < cavity.newCount(); i++) {
            for (int k = 0; k < mesh.width; k++) {
                changed[cavity.corner(i, k)] = pass;
            }
        }
    }

    private void phase(int count, ParallelRanges.WorkspaceTask<Cavity> task) {
        mesh.freeScratch();
        team.run(count, GRAIN, () -> new Cavity(mesh), task);
    }
}
