package org.trellis.memory;

/** The numbering of what is bound to nothing. */
enum UnboundNumbering implements Numbering {
    /** The only one. */
    INSTANCE;

    @Override
    public boolean isCurrent() {
        return true;
    }

    @Override
    public boolean isUserOrder() {
        return true;
    }

    @Override
    public String whyStale() {
        throw new IllegalStateException("what is bound to nothing is always current");
    }

    @Override
    public Numbering part(int from, int length) {
        return this;
    }

    @Override
    public String toString() {
        return "no set";
    }
}
