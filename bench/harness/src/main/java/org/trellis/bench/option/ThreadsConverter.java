package org.trellis.bench.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of threads. */
public final class ThreadsConverter implements ITypeConverter<Integer> {
    private static final int MAX_THREADS = 1024;

    /** Creates a converter; the command line does. */
    public ThreadsConverter() {}

    @Override
    public Integer convert(String value) {
        if (value.matches("\\d{1,4}")) {
            int threads = Integer.parseInt(value);
            if (threads >= 1 && threads <= MAX_THREADS) {
                return threads;
            }
        }
        throw new TypeConversionException("'" + value + "' is no number of threads, expected 1 to " + MAX_THREADS);
    }
}
