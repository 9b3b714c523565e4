package org.trellis.bench.direct;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.trellis.backend.Availability;
import org.trellis.sparse.CsrMatrix;

/**
 * Another library that factorises sparse matrices. Registered in {@code META-INF/services}; has a public constructor
 * without parameters that does nothing. The library is loaded into this process, so that all are timed alike.
 */
public interface DirectPeer {
    /**
     * Returns the name by which users ask for the peer.
     *
     * @return a short lower-case word
     */
    String name();

    /**
     * Finds out whether the library can be used here. Must not throw or print.
     *
     * @return yes with the version, or the reason why not with the package to install
     */
    Availability probe();

    /**
     * Says why the library cannot factorise a matrix.
     *
     * @param matrix    a square matrix
     * @param symmetric whether it is symmetric
     * @return the reason, or empty
     */
    default Optional<String> objection(CsrMatrix matrix, boolean symmetric) {
        return Optional.empty();
    }

    /**
     * Hands the library a matrix.
     *
     * @param matrix a square matrix in double precision of fewer than 2³¹ entries
     * @return what factorises it, which the caller closes
     */
    @MustBeClosed
    DirectFactors open(CsrMatrix matrix);

    /**
     * Hands the library a matrix for least squares by a QR factorisation.
     *
     * @param matrix a matrix in double precision of fewer than 2³¹ entries
     * @return what factorises it, which the caller closes; empty if the library has no such factorisation for the shape
     */
    default Optional<DirectFactors> openLeastSquares(CsrMatrix matrix) {
        return Optional.empty();
    }

    /**
     * Returns all peers on the class path, whether they can be used or not.
     *
     * @return the peers by name
     */
    static List<DirectPeer> all() {
        return ServiceLoader.load(DirectPeer.class, DirectPeer.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get).sorted(Comparator.comparing(DirectPeer::name)).toList();
    }

    /**
     * Returns a peer by its name, whether it can be used or not.
     *
     * @param name its name
     * @return the peer
     * @throws IllegalArgumentException if there is none of that name; says which there are
     */
    static DirectPeer named(String name) {
        List<DirectPeer> all = all();
        return all.stream().filter(peer -> peer.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("peer '" + name + "' has no direct solver, "
                        + (all.isEmpty()
                                ? "and there is none on the class path that has (bench/adapters has them)"
                                : "expected one of " + all.stream().map(DirectPeer::name).toList())));
    }
}
