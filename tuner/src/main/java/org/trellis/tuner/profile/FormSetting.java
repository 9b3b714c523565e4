package org.trellis.tuner.profile;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.Precision;

/**
 * For what kind of finite element system storages were measured: with others, another way may be the best.
 *
 * @param element   the element, in its own words
 * @param fields    components of the unknown function
 * @param factors   numbers of the integrand at a quadrature point; 0 where a kernel makes whole element matrices
 * @param cells     the number of cells, of which the power of two below it counts
 * @param precision of values and vectors
 * @param rows      whether compressed rows are needed, for a preconditioner
 * @param products  how many products an assembly is followed by
 */
public record FormSetting(String element, int fields, int factors, int cells, Precision precision, boolean rows,
        int products) {
    /**
     * Rounds the number of cells down to a power of two and checks the numbers.
     *
     * @throws IllegalArgumentException if there is no field, cell or product
     */
    public FormSetting {
        Objects.requireNonNull(element);
        Objects.requireNonNull(precision);
        Checks.positive("number of fields", fields);
        Checks.notNegative("numbers at a point", factors);
        cells = Integer.highestOneBit(Checks.positive("number of cells", cells));
        Checks.positive("number of products", products);
    }
}
