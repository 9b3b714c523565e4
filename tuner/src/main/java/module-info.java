/**
 * Run-time tuning, search, learned models and tuning profiles for the sparse products of any backend.
 *
 * <p>Training a model needs Smile (LGPL, optional); evaluating one needs nothing.
 */
@SuppressWarnings("requires-automatic") // Smile has no module descriptor
module org.trellis.tuner {
    requires transitive org.trellis.core;
    requires static com.google.errorprone.annotations;
    requires static transitive org.trellis.fem;
    requires com.fasterxml.jackson.databind;
    requires static smile.core;
    requires static smile.data;
    requires static smile.math;

    exports org.trellis.tuner.features;
    exports org.trellis.tuner.model;
    exports org.trellis.tuner.profile;
    exports org.trellis.tuner.contest;
    exports org.trellis.tuner.product.advice;
    exports org.trellis.tuner.product.online;
    exports org.trellis.tuner.product.search;
    exports org.trellis.tuner.loop;
    exports org.trellis.tuner.form;
    exports org.trellis.tuner.solver;
    exports org.trellis.tuner.train;
}
