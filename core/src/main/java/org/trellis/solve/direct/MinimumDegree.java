package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.mesh.order.Graph;

/**
 * The approximate minimum degree order (P. Amestoy, T. Davis, I. Duff, "An approximate minimum degree ordering
 * algorithm", SIAM J. Matrix Anal. Appl. 17, 1996), from the paper: elimination on a quotient graph, in which an
 * eliminated variable becomes an element that stands for the clique of its neighbours.
 *
 * <p>Each step eliminates a variable of least approximate degree (the first of those that became so last), forms its
 * element, absorbs the elements that it covers, updates the degrees of its members by the bound of section 4 and merges
 * members that can no longer be distinguished. Variables of more than ten times the root of n neighbours come last.
 *
 * <p>All lists are in one array. A member of a new element loses the pivot or an element that the pivot had, which
 * makes room for the new one, so lists of variables never grow. Elements take the place of their variable's list if
 * that has variables only; others are put behind everything, and where that is full, lists are moved together.
 *
 * <p>The last vertices of a graph may be a halo: they count as neighbours but are not eliminated (F. Pellegrini, J.
 * Roman, P. Amestoy, "Hybridizing nested dissection and halo approximate minimum degree", 1999).
 */
final class MinimumDegree {
    private static final int NONE = -1;

    private final int n;
    /** Vertices from here on are the halo. */
    private final int inner;
    /** The lists of all: of a variable its elements and then its neighbours that none covers; of an element members. */
    private int[] store;
    private int free;
    private final int[] start;
    /** Entries of a list; 0 once a variable or element is gone. */
    private final int[] length;
    private final int[] elementCount;
    /** How many rows a variable stands for; 0 if it was merged or eliminated, negative in the element being formed. */
    private final int[] weight;
    /** For an element the weight of its members, for a variable a bound of its neighbours'. */
    private final int[] degree;
    private final int[] next;
    private final int[] previous;
    private final int[] head;
    private int least;
    /** The rows merged into each variable, as lists. */
    private final int[] follower;
    private final int[] lastFollower;
    /** 0 for absorbed elements; from {@link #stamp} on what is marked, and by how much. */
    private final int[] mark;
    private int stamp = 2;
    /** The greatest weight of an element. */
    private int greatest;
    private final int[] hash;
    /** Lists of variables by hash: the first of each, and the next. */
    private final int[] alike;
    private final int[] nextAlike;
    private final int[] order;
    private int ordered;
    /** How many are ordered by degree. */
    private int remaining;
    /** How many are not eliminated, but for those that come last; the halo included. */
    private int alive;
    /** Of the factor of a symmetric matrix, in the columns that are eliminated. */
    private double entries;

    /**
     * Allocates.
     *
     * @param n     vertices
     * @param inner those that are ordered
     * @param given elements that are there from the start, numbered behind the vertices
     * @param room  entries of their lists
     */
    private MinimumDegree(int n, int inner, int given, long room) {
        this.n = n;
        this.inner = inner;
        store = new int[(int) Math.min(room + room / 5 + n, Integer.MAX_VALUE - 8)];
        start = new int[n + given];
        length = new int[n + given];
        elementCount = new int[n];
        weight = new int[n];
        degree = new int[n + given];
        next = new int[n];
        previous = new int[n];
        head = new int[n + 1];
        follower = new int[n];
        lastFollower = new int[n];
        mark = new int[n + given];
        hash = new int[n];
        alike = new int[n];
        nextAlike = new int[n];
        order = new int[inner];
        Arrays.fill(alike, NONE);
        Arrays.fill(head, NONE);
        Arrays.fill(follower, NONE);
        Arrays.fill(weight, 1);
        Arrays.fill(mark, 1);
        Arrays.setAll(lastFollower, i -> i);
    }

    /**
     * Orders the vertices of a graph.
     *
     * @param graph with each edge in both directions; loops and repetitions are borne
     * @return the vertices in the order of elimination
     */
    static int[] order(Graph graph) {
        return order(graph, graph.vertices());
    }

    /**
     * Orders the vertices of a graph that has a halo.
     *
     * @param graph with each edge in both directions, but for those between vertices of the halo, which do not matter
     * @param inner vertices that are ordered; those behind are the halo
     * @return the inner vertices in the order of elimination
     */
    static int[] order(Graph graph, int inner) {
        MinimumDegree state = new MinimumDegree(graph.vertices(), inner, 0, graph.neighbours().length);
        state.start(graph);
        state.run();
        return state.order;
    }

    /**
     * Orders the vertices of a graph unless that makes too many entries.
     *
     * @param graph  with each edge in both directions; loops and repetitions are borne
     * @param meter  ends the search once there are more entries than there may be
     * @param before entries of other parts of the factors
     * @param both   whether there are two factors, by LU
     * @return the vertices in the order of elimination
     */
    static int[] order(Graph graph, FactorMeter meter, double before, boolean both) {
        MinimumDegree state = new MinimumDegree(graph.vertices(), graph.vertices(), 0, graph.neighbours().length);
        state.start(graph);
        while (state.ordered < state.remaining) {
            state.step();
            double entries = both ? 2 * state.entries - state.ordered : state.entries;
            meter.checkEntries(before + entries, state.ordered);
        }
        return state.order;
    }

    /**
     * Orders the columns of a matrix for a factorisation whose rows are chosen as pivots later: approximate minimum
     * degree of AᵀA, of which only A is stored. Each row begins as an element, as in the column approximate minimum
     * degree order (T. Davis, J. Gilbert, S. Larimore, E. Ng, ACM Trans. Math. Softw. 30, 2004). Rows of more than ten
     * times the root of the number of columns are left out.
     *
     * @param matrix any
     * @return the columns in the order of elimination
     */
    static int[] orderColumns(ColumnStructure matrix) {
        MinimumDegree state = new MinimumDegree(matrix.columns(), matrix.columns(), matrix.rows(),
                2L * matrix.start()[matrix.columns()]);
        state.startColumns(matrix);
        state.run();
        return state.order;
    }

    private void startColumns(ColumnStructure matrix) {
        ColumnStructure byRows = matrix.transpose();
        int dense = (int) Math.max(16, Math.min(n, 10 * Math.sqrt(n)));
        int last = n;
        for (int v = n - 1; v >= 0; v--) {
            if (matrix.start()[v + 1] - matrix.start()[v] > Math.max(16, 10 * Math.sqrt(matrix.rows()))) {
                weight[v] = 0;
                order[--last] = v;
            }
        }
        for (int r = 0; r < matrix.rows(); r++) {
            start[n + r] = free;
            if (byRows.start()[r + 1] - byRows.start()[r] <= dense) {
                for (int k = byRows.start()[r]; k < byRows.start()[r + 1]; k++) {
                    int v = byRows.row()[k];
                    store[free] = v;
                    free += weight[v];
                }
            }
            length[n + r] = free - start[n + r];
            degree[n + r] = length[n + r];
            greatest = Math.max(greatest, degree[n + r]);
            mark[n + r] = Math.min(1, length[n + r]);
        }
        for (int v = n - 1; v >= 0; v--) {
            if (weight[v] == 0) {
                continue;
            }
            start[v] = free;
            long sum = 0;
            for (int k = matrix.start()[v]; k < matrix.start()[v + 1]; k++) {
                int element = n + matrix.row()[k];
                if (length[element] > 0) {
                    store[free++] = element;
                    sum += degree[element] - 1;
                }
            }
            length[v] = free - start[v];
            elementCount[v] = length[v];
            insert(v, (int) Math.min(sum, Math.max(0, last - 1)));
        }
        remaining = last;
        alive = last;
    }

    private void start(Graph graph) {
        int dense = (int) Math.max(16, Math.min(n, 10 * Math.sqrt(n)));
        int last = inner;
        for (int v = inner - 1; v >= 0; v--) {
            if (graph.degree(v) > dense) {
                weight[v] = 0;
                order[--last] = v;
            }
        }
        for (int v = n - 1; v >= 0; v--) {
            if (weight[v] == 0) {
                continue;
            }
            start[v] = free;
            mark[v] = stamp;
            for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                int other = graph.neighbours()[k];
                if (weight[other] > 0 && mark[other] != stamp) {
                    mark[other] = stamp;
                    store[free++] = other;
                }
            }
            stamp++;
            length[v] = free - start[v];
            insert(v, length[v]);
        }
        remaining = last;
        alive = last + n - inner;
    }

    private void run() {
        while (ordered < remaining) {
            step();
        }
    }

    private void step() {
        while (head[least] == NONE) {
            least++;
        }
        int pivot = head[least];
        remove(pivot);
        eliminate(pivot);
    }

    private void insert(int v, int newDegree) {
        degree[v] = newDegree;
        if (v >= inner) {
            return;
        }
        int then = head[newDegree];
        next[v] = then;
        previous[v] = NONE;
        if (then != NONE) {
            previous[then] = v;
        }
        head[newDegree] = v;
        least = Math.min(least, newDegree);
    }

    private void remove(int v) {
        if (v >= inner) {
            return;
        }
        int then = next[v];
        int before = previous[v];
        if (before == NONE) {
            head[degree[v]] = then;
        } else {
            next[before] = then;
        }
        if (then != NONE) {
            previous[then] = before;
        }
    }

    private void eliminate(int pivot) {
        boolean behind = elementCount[pivot] > 0;
        int size = behind ? formBehind(pivot) : formInPlace(pivot);
        int from = start[pivot];
        int to = from + length[pivot];
        weighOutside(from, to);
        mark[pivot] = 1;
        degree[pivot] = size;
        greatest = Math.max(greatest, size);
        for (int k = from; k < to; k++) {
            update(store[k], pivot);
        }
        nextStamp();
        mergeAlike(from, to);
        int left = alive + weight[pivot];
        int kept = from;
        for (int k = from; k < to; k++) {
            int v = store[k];
            if (weight[v] != 0) {
                weight[v] = -weight[v];
                store[kept++] = v;
                int most = Math.max(0, left - weight[v]);
                insert(v, Math.clamp(degree[v] + degree[pivot] - weight[v], 0, most));
            }
        }
        length[pivot] = kept - from;
        mark[pivot] = kept == from ? 0 : 1;
        free = behind ? kept : free;
        double columns = -weight[pivot];
        entries += columns * (degree[pivot] + (columns + 1) / 2);
        emit(pivot);
    }

    /** Turns the neighbours of a pivot without elements into its element; returns their weight. */
    private int formInPlace(int pivot) {
        weight[pivot] = -weight[pivot];
        int size = 0;
        int to = start[pivot];
        for (int k = start[pivot], end = to + length[pivot]; k < end; k++) {
            int v = store[k];
            int own = weight[v];
            if (own > 0) {
                weight[v] = -own;
                size += own;
                store[to++] = v;
                remove(v);
            }
        }
        length[pivot] = to - start[pivot];
        return size;
    }

    /** Puts the neighbours of a pivot behind all lists, absorbs its elements; returns the weight of the neighbours. */
    private int formBehind(int pivot) {
        int elements = elementCount[pivot];
        long bound = (long) length[pivot] - elements;
        for (int k = start[pivot]; k < start[pivot] + elements; k++) {
            bound += length[store[k]];
        }
        bound = Math.min(bound, alive);
        if (store.length - free < bound) {
            compact(bound);
        }
        weight[pivot] = -weight[pivot];
        int first = free;
        int size = 0;
        int own = start[pivot];
        for (int e = 0; e <= elements; e++) {
            int source = e < elements ? store[own + e] : pivot;
            int k = e < elements ? start[source] : own + elements;
            int end = e < elements ? k + length[source] : own + length[pivot];
            for (; k < end; k++) {
                int v = store[k];
                int weighs = weight[v];
                if (weighs > 0) {
                    weight[v] = -weighs;
                    size += weighs;
                    store[free++] = v;
                    remove(v);
                }
            }
            mark[source] = 0;
            length[source] = 0;
        }
        start[pivot] = first;
        length[pivot] = free - first;
        return size;
    }

    /** Moves all lists together, into an array that has room for one of a length. */
    private void compact(long wanted) {
        long used = n;
        for (int count : length) {
            used += count;
        }
        long room = Math.max(store.length, used + wanted);
        int[] target = new int[(int) Math.min(room, Integer.MAX_VALUE - 8)];
        int to = 0;
        for (int i = 0; i < length.length; i++) {
            System.arraycopy(store, start[i], target, to, length[i]);
            start[i] = to;
            to += length[i];
        }
        store = target;
        free = to;
    }

    /** Makes the stamp greater than all marks. */
    private void nextStamp() {
        stamp += greatest + 1;
        if (stamp > Integer.MAX_VALUE - 4L * n) {
            for (int i = 0; i < mark.length; i++) {
                mark[i] = Math.min(1, mark[i]);
            }
            stamp = 2;
        }
    }

    /** Computes for each element that meets the new one how much of it lies outside, added to the stamp. */
    private void weighOutside(int from, int to) {
        for (int i = from; i < to; i++) {
            int v = store[i];
            int own = weight[v];
            for (int k = start[v], end = k + elementCount[v]; k < end; k++) {
                int element = store[k];
                int marked = mark[element];
                if (marked >= stamp) {
                    mark[element] = marked + own;
                } else if (marked != 0) {
                    mark[element] = degree[element] + stamp + own;
                }
            }
        }
    }

    /** Takes what the new element covers out of the lists of a member; bounds what it has outside. */
    private void update(int v, int pivot) {
        long sum = 0;
        int hashed = pivot;
        int first = start[v];
        int middle = first + elementCount[v];
        int end = first + length[v];
        int to = first;
        for (int k = first; k < middle; k++) {
            int element = store[k];
            int marked = mark[element];
            if (marked > stamp) {
                store[to++] = element;
                sum += marked - stamp;
                hashed += element;
            } else if (marked == stamp) {
                mark[element] = 0;
                length[element] = 0;
            }
        }
        int elements = to - first;
        for (int k = middle; k < end; k++) {
            int other = store[k];
            int weighs = weight[other];
            if (weighs > 0) {
                store[to++] = other;
                sum += weighs;
                hashed += other;
            }
        }
        if (to == first && v < inner) {
            degree[pivot] += weight[v];
            merge(pivot, v);
            return;
        }
        // The new element comes first: the element there goes behind the others, the neighbour there behind all.
        store[to] = store[first + elements];
        store[first + elements] = store[first];
        store[first] = pivot;
        elementCount[v] = elements + 1;
        length[v] = to + 1 - first;
        degree[v] = (int) Math.min(sum, degree[v]);
        hash[v] = (hashed & Integer.MAX_VALUE) % n;
        int bucket = hash[v];
        nextAlike[v] = alike[bucket];
        alike[bucket] = v;
    }

    /** Merges members of the new element that have the same elements and neighbours. */
    private void mergeAlike(int from, int to) {
        for (int i = from; i < to; i++) {
            int v = store[i];
            if (weight[v] == 0) {
                continue;
            }
            int bucket = hash[v];
            int first = alike[bucket];
            alike[bucket] = NONE;
            while (first != NONE && nextAlike[first] != NONE) {
                mergeInto(first);
                first = nextAlike[first];
            }
        }
    }

    /** Merges what is like a variable and behind it in its list. */
    private void mergeInto(int v) {
        int first = start[v] + 1;
        int end = start[v] + length[v];
        for (int k = first; k < end; k++) {
            mark[store[k]] = stamp;
        }
        int before = v;
        for (int other = nextAlike[v]; other != NONE; other = nextAlike[other]) {
            if (length[v] == length[other] && elementCount[v] == elementCount[other] && v < inner == other < inner
                    && isMarked(other)) {
                merge(v, other);
                nextAlike[before] = nextAlike[other];
            } else {
                before = other;
            }
        }
        stamp++;
    }

    private boolean isMarked(int v) {
        for (int k = start[v] + 1, end = start[v] + length[v]; k < end; k++) {
            if (mark[store[k]] != stamp) {
                return false;
            }
        }
        return true;
    }

    private void merge(int into, int v) {
        weight[into] += weight[v];
        weight[v] = 0;
        length[v] = 0;
        follower[lastFollower[into]] = v;
        lastFollower[into] = lastFollower[v];
    }

    private void emit(int pivot) {
        alive += weight[pivot];
        weight[pivot] = 0;
        for (int v = pivot; v != NONE; v = follower[v]) {
            order[ordered++] = v;
        }
    }
}
