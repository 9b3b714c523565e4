package org.trellis.distributed.solve;

import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.PolynomialSmoother;
import org.trellis.distributed.powers.BasisVectors;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.RingUpdates;

/**
 * The images {@code y = q(A) u} of basis vectors u under a polynomial that preconditions, and the recurrence of a basis
 * for it, {@code uⱼ₊₁ = aⱼ A yⱼ + bⱼ uⱼ + cⱼ uⱼ₋₁}. An image takes one product less than the polynomial's degree, and
 * as many rings.
 */
final class PolynomialImages {
    private final PolynomialSmoother polynomial;
    private final RingVector[] images;
    private final BasisVectors vectors;
    private final RingUpdates updates;

    /**
     * Makes vectors for the images.
     *
     * @param polynomial q, of the matrix of the plan
     * @param count      how many
     */
    PolynomialImages(HaloPlan plan, PolynomialSmoother polynomial, int count) {
        this.polynomial = polynomial;
        this.images = new RingVector[count];
        for (int v = 0; v < count; v++) {
            images[v] = plan.vector();
        }
        this.vectors = BasisVectors.of(plan, images);
        this.updates = new RingUpdates(plan);
    }

    /** Returns the images' owned elements. */
    BasisVectors vectors() {
        return vectors;
    }

    /** Returns how many there are. */
    int count() {
        return images.length;
    }

    /** Computes the image of a vector. */
    void image(RingVector from, int number) {
        RingVector right = polynomial.smoother().rightHandSide();
        copy(from, right);
        polynomial.smoother().smoothFromZero(polynomial.degree());
        if (right.validRings() > from.validRings()) {
            // The polynomial's exchange has brought rings that the recurrence needs, too.
            copy(right, from);
        }
        copy(polynomial.smoother().solution(), images[number]);
    }

    private void copy(RingVector from, RingVector to) {
        updates.copy(from.within(from.validRings()), to.within(from.validRings()));
        to.setValidRings(from.validRings());
    }

    /** Computes the next vector of a basis from the image of the current one. */
    void next(RingProduct product, double[] factors, int number, RingVector current, RingVector before,
            RingVector into) {
        product.combine(factors[0], images[number], 0, current, factors[1], into);
        if (factors[2] != 0) {
            int rings = Math.min(into.validRings(), before.validRings());
            updates.add(factors[2], before.within(rings), into.within(rings));
            into.setValidRings(rings);
        }
    }
}
