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
 * members that can no longer be told apart. Variables of more than ten times the root of n neighbours come last.
 *
 * <p>The last vertices of a graph may be a halo: they count as neighbours but are not eliminated (F. Pellegrini, J.
 * Roman, P. Amestoy, "Hybridizing nested dissection and halo approximate minimum degree", 1999).
 */
final class MinimumDegree {
    private static final int NONE = -1;

    private final int n;
    /** Vertices from here on are the halo. */
    private final int inner;
    /** Neighbours of a variable that no element covers; the elements of a variable; the members of an element. */
    private final int[][] variables;
    private final int[] variableCount;
    private final int[][] elements;
    private final int[] elementCount;
    private final int[][] members;
    /** How many rows a variable stands for; 0 if it was merged or eliminated. */
    private final int[] weight;
    private final int[] elementSize;
    private final int[] degree;
    private final int[] next;
    private final int[] previous;
    private final int[] head;
    private int least;
    /** The rows merged into each variable, as lists. */
    private final int[] follower;
    private final int[] lastFollower;
    private final int[] mark;
    private int stamp;
    private final int[] outside;
    private final int[] outsideStamp;
    private final int[] hash;
    /** Lists of variables by hash: the first of each, and the next. */
    private final int[] alike;
    private final int[] nextAlike;
    /** The neighbours of a pivot while they are found. */
    private final int[] found;
    private final int[] order;
    private int ordered;
    /** How many are ordered by degree. */
    private int remaining;
    /** How many are not eliminated, but for those that come last; the halo included. */
    private int alive;

    /**
     * Allocates.
     *
     * @param n     vertices
     * @param inner those that are ordered
     * @param given elements that are there from the start, numbered behind the vertices
     */
    private MinimumDegree(int n, int inner, int given) {
        this.n = n;
        this.inner = inner;
        variables = new int[n][];
        variableCount = new int[n];
        elements = new int[n][];
        elementCount = new int[n];
        members = new int[n + given][];
        weight = new int[n];
        elementSize = new int[n + given];
        degree = new int[n];
        next = new int[n];
        previous = new int[n];
        head = new int[n + 1];
        follower = new int[n];
        lastFollower = new int[n];
        mark = new int[n];
        outside = new int[n + given];
        outsideStamp = new int[n + given];
        hash = new int[n];
        alike = new int[n];
        Arrays.fill(alike, NONE);
        nextAlike = new int[n];
        found = new int[n];
        order = new int[inner];
        Arrays.fill(head, NONE);
        Arrays.fill(follower, NONE);
        Arrays.fill(weight, 1);
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
        MinimumDegree state = new MinimumDegree(graph.vertices(), inner, 0);
        state.start(graph);
        state.run();
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
        MinimumDegree state = new MinimumDegree(matrix.columns(), matrix.columns(), matrix.rows());
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
            int from = byRows.start()[r];
            int length = byRows.start()[r + 1] - from;
            if (length > dense) {
                continue;
            }
            int[] own = new int[length];
            int count = 0;
            for (int k = 0; k < length; k++) {
                own[count] = byRows.row()[from + k];
                count += weight[own[count]];
            }
            members[n + r] = Arrays.copyOf(own, count);
            elementSize[n + r] = count;
        }
        for (int v = n - 1; v >= 0; v--) {
            if (weight[v] == 0) {
                continue;
            }
            int[] own = new int[Math.max(4, matrix.start()[v + 1] - matrix.start()[v])];
            int count = 0;
            long sum = 0;
            for (int k = matrix.start()[v]; k < matrix.start()[v + 1]; k++) {
                int element = n + matrix.row()[k];
                if (members[element] != null) {
                    own[count++] = element;
                    sum += elementSize[element] - 1;
                }
            }
            variables[v] = new int[0];
            elements[v] = own;
            elementCount[v] = count;
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
            int[] own = new int[graph.degree(v)];
            int count = 0;
            stamp++;
            mark[v] = stamp;
            for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                int other = graph.neighbours()[k];
                if (weight[other] > 0 && mark[other] != stamp) {
                    mark[other] = stamp;
                    own[count++] = other;
                }
            }
            variables[v] = own;
            variableCount[v] = count;
            elements[v] = new int[4];
            insert(v, count);
        }
        remaining = last;
        alive = last + n - inner;
    }

    private void run() {
        while (ordered < remaining) {
            while (head[least] == NONE) {
                least++;
            }
            int pivot = head[least];
            remove(pivot);
            eliminate(pivot);
        }
    }

    private void insert(int v, int newDegree) {
        degree[v] = newDegree;
        if (v >= inner) {
            return;
        }
        next[v] = head[newDegree];
        previous[v] = NONE;
        if (next[v] != NONE) {
            previous[next[v]] = v;
        }
        head[newDegree] = v;
        least = Math.min(least, newDegree);
    }

    private void remove(int v) {
        if (v >= inner) {
            return;
        }
        if (previous[v] == NONE) {
            head[degree[v]] = next[v];
        } else {
            next[previous[v]] = next[v];
        }
        if (next[v] != NONE) {
            previous[next[v]] = previous[v];
        }
    }

    private void eliminate(int pivot) {
        int[] own = formElement(pivot);
        members[pivot] = own;
        int size = 0;
        for (int v : own) {
            size += weight[v];
            remove(v);
        }
        elementSize[pivot] = size;
        weighOutside(own);
        int kept = 0;
        int left = alive - weight[pivot];
        for (int v : own) {
            if (update(v, pivot, size, left)) {
                own[kept++] = v;
            } else {
                elementSize[pivot] -= weight[v];
                merge(pivot, v);
            }
        }
        members[pivot] = kept == own.length ? own : Arrays.copyOf(own, kept);
        mergeAlike(members[pivot]);
        for (int v : members[pivot]) {
            if (weight[v] > 0) {
                int bound = alive - weight[pivot] - weight[v];
                insert(v, Math.clamp(degree[v], 0, Math.max(0, bound)));
            }
        }
        emit(pivot);
    }

    /** Returns the live neighbours of the pivot and marks them; absorbs its elements. */
    private int[] formElement(int pivot) {
        stamp++;
        mark[pivot] = stamp;
        int count = 0;
        for (int k = 0; k < elementCount[pivot]; k++) {
            int element = elements[pivot][k];
            for (int v : members[element]) {
                if (weight[v] > 0 && mark[v] != stamp) {
                    mark[v] = stamp;
                    found[count++] = v;
                }
            }
            members[element] = null;
        }
        for (int k = 0; k < variableCount[pivot]; k++) {
            int v = variables[pivot][k];
            if (weight[v] > 0 && mark[v] != stamp) {
                mark[v] = stamp;
                found[count++] = v;
            }
        }
        variables[pivot] = null;
        elements[pivot] = null;
        return Arrays.copyOf(found, count);
    }

    /** Computes for each element that meets the new one how much of it lies outside. */
    private void weighOutside(int[] own) {
        for (int v : own) {
            for (int k = 0; k < elementCount[v]; k++) {
                int element = elements[v][k];
                if (members[element] == null) {
                    continue;
                }
                if (outsideStamp[element] != stamp) {
                    outsideStamp[element] = stamp;
                    outside[element] = elementSize[element];
                }
                outside[element] -= weight[v];
            }
        }
    }

    /** Updates a member of the new element; returns whether it has neighbours outside of it. */
    private boolean update(int v, int pivot, int size, int left) {
        long sum = 0;
        int hashed = pivot;
        int count = 0;
        int[] own = elements[v];
        for (int k = 0; k < elementCount[v]; k++) {
            int element = own[k];
            if (members[element] == null) {
                continue;
            }
            if (outside[element] == 0) {
                members[element] = null;
                continue;
            }
            own[count++] = element;
            sum += outside[element];
            hashed += element;
        }
        int[] neighbours = variables[v];
        int free = 0;
        for (int k = 0; k < variableCount[v]; k++) {
            int other = neighbours[k];
            if (weight[other] > 0 && mark[other] != stamp) {
                neighbours[free++] = other;
                sum += weight[other];
                hashed += other;
            }
        }
        variableCount[v] = free;
        if (count == 0 && free == 0 && v < inner) {
            return false;
        }
        if (count == own.length) {
            elements[v] = Arrays.copyOf(own, 2 * count);
        }
        elements[v][count] = pivot;
        elementCount[v] = count + 1;
        int inside = size - weight[v];
        degree[v] = (int) Math.min(Math.min(left - weight[v], sum + inside), (long) degree[v] + inside);
        hash[v] = hashed;
        return true;
    }

    /** Merges members of the new element that have the same elements and neighbours. */
    private void mergeAlike(int[] own) {
        for (int i = own.length - 1; i >= 0; i--) {
            int v = own[i];
            if (weight[v] > 0) {
                int bucket = (hash[v] & Integer.MAX_VALUE) % n;
                nextAlike[v] = alike[bucket];
                alike[bucket] = v;
            }
        }
        for (int v : own) {
            int bucket = (hash[v] & Integer.MAX_VALUE) % n;
            int first = alike[bucket];
            alike[bucket] = NONE;
            while (first != NONE) {
                first = mergeInto(first);
            }
        }
    }

    /** Merges what is like a variable and behind it in its list; returns the next that is not merged. */
    private int mergeInto(int v) {
        boolean marked = false;
        int before = v;
        int other = nextAlike[v];
        while (other != NONE) {
            int then = nextAlike[other];
            boolean merged = false;
            if (hash[v] == hash[other] && v < inner == other < inner && elementCount[v] == elementCount[other]
                    && variableCount[v] == variableCount[other]) {
                if (!marked) {
                    markLists(v);
                    marked = true;
                }
                merged = hasMarkedLists(other);
            }
            if (merged) {
                degree[v] = Math.max(0, degree[v] - weight[other]);
                merge(v, other);
                nextAlike[before] = then;
            } else {
                before = other;
            }
            other = then;
        }
        return nextAlike[v];
    }

    private void markLists(int v) {
        stamp++;
        for (int k = 0; k < elementCount[v]; k++) {
            outsideStamp[elements[v][k]] = stamp;
        }
        for (int k = 0; k < variableCount[v]; k++) {
            mark[variables[v][k]] = stamp;
        }
    }

    private boolean hasMarkedLists(int v) {
        for (int k = 0; k < elementCount[v]; k++) {
            if (outsideStamp[elements[v][k]] != stamp) {
                return false;
            }
        }
        for (int k = 0; k < variableCount[v]; k++) {
            if (mark[variables[v][k]] != stamp) {
                return false;
            }
        }
        return true;
    }

    private void merge(int into, int v) {
        weight[into] += weight[v];
        weight[v] = 0;
        variables[v] = null;
        elements[v] = null;
        follower[lastFollower[into]] = v;
        lastFollower[into] = lastFollower[v];
    }

    private void emit(int pivot) {
        alive -= weight[pivot];
        weight[pivot] = 0;
        for (int v = pivot; v != NONE; v = follower[v]) {
            order[ordered++] = v;
        }
    }
}
