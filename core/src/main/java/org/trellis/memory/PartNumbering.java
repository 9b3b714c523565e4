package org.trellis.memory;

/**
 * The numbering of a range of elements.
 *
 * @param whole  the numbering of all
 * @param from   the first element
 * @param length how many
 */
record PartNumbering(Numbering whole, int from, int length) implements Numbering {
    @Override
    public boolean isCurrent() {
        return whole.isCurrent();
    }

    @Override
    public boolean isUserOrder() {
        return whole.isUserOrder();
    }

    @Override
    public String whyStale() {
        return whole.whyStale();
    }

    @Override
    public String toString() {
        return "elements " + from + " to " + (from + length - 1) + " of " + whole;
    }
}
