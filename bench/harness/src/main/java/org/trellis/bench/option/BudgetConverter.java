package org.trellis.bench.option;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.tuner.contest.SearchBudget;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 30s}, {@code 2m} and numbers of trials. */
public final class BudgetConverter implements ITypeConverter<SearchBudget> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?)(s|m)|(\\d{1,7})");
    private static final int MINUTE = 60;

    /** Creates a converter. */
    public BudgetConverter() {}

    @Override
    public SearchBudget convert(String value) {
        Matcher matcher = FORM.matcher(value);
        try {
            if (matcher.matches()) {
                return matcher.group(3) != null
                        ? SearchBudget.ofTrials(Integer.parseInt(matcher.group(3)))
                        : SearchBudget.ofSeconds(Double.parseDouble(matcher.group(1))
                                * (matcher.group(2).equals("m") ? MINUTE : 1));
            }
        } catch (IllegalArgumentException e) {
            throw (TypeConversionException) new TypeConversionException("'" + value + "': " + e.getMessage())
                    .initCause(e);
        }
        throw new TypeConversionException("'" + value + "' is no budget, expected seconds (30s), minutes (2m) or a "
                + "number of trials (50)");
    }
}
