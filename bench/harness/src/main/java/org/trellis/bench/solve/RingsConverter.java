package org.trellis.bench.solve;

import org.trellis.distributed.multigrid.RingChoice;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads numbers of rings on the command line. */
final class RingsConverter implements ITypeConverter<RingChoice> {
    @Override
    public RingChoice convert(String value) {
        try {
            return RingChoice.parse(value);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
