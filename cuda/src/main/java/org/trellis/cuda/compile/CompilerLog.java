package org.trellis.cuda.compile;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.trellis.common.KernelCompilationException;

/** Finds the offending line in what a compiler wrote. */
final class CompilerLog {
    /** Both compilers write {@code file(line): error: text}, perhaps with the column after the line. */
    private static final Pattern ERROR =
            Pattern.compile("(?m)^(\\S+)\\((\\d+)(?:,\\d+)?\\): (?:catastrophic )?error\\b");

    private CompilerLog() {}

    static KernelCompilationException failure(KernelSource source, String detail, String log) {
        return new KernelCompilationException(source.toString(), detail, log, offendingLine(source, log));
    }

    private static String offendingLine(KernelSource source, String log) {
        Matcher error = ERROR.matcher(log);
        if (!error.find()) {
            return "";
        }
        String file = error.group(1).substring(error.group(1).lastIndexOf('/') + 1);
        int line = Integer.parseInt(error.group(2));
        String text = file.equals(source.name()) ? source.text() : source.headers().getOrDefault(file, "");
        List<String> lines = text.lines().toList();
        return file + ":" + line + (line >= 1 && line <= lines.size() ? ": " + lines.get(line - 1).strip() : "");
    }
}
