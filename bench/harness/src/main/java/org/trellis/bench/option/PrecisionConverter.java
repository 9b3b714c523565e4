package org.trellis.bench.option;

import org.trellis.common.Precision;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code f64} and {@code f32}. */
public final class PrecisionConverter implements ITypeConverter<Precision> {
    /** Creates a converter; the command line does. */
    public PrecisionConverter() {}

    @Override
    public Precision convert(String value) {
        try {
            return Precision.of(value);
        } catch (IllegalArgumentException e) {
            throw (TypeConversionException) new TypeConversionException(
                    "'" + value + "' is unknown, expected f32 or f64")
                    .initCause(e);
        }
    }
}
