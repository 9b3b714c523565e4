package org.trellis.tuner.profile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Goes through a text by the grammar of JSON (RFC 8259) and keeps nothing but what is open. */
final class JsonScanner {
    private static final int LONGEST_WORD = 20;
    private static final List<String> LITERALS = List.of("true", "false", "null");
    private static final int HEX_DIGITS = 4;

    private final String text;
    private final Deque<Character> open = new ArrayDeque<>();
    private int at;
    private State state = State.VALUE;

    JsonScanner(String text) {
        this.text = text;
    }

    /** What may come next. */
    private enum State {
        VALUE("a value"), VALUE_OR_END("a value or ']'"), NAME("a name in quotation marks"), NAME_OR_END(
                "a name in quotation marks or '}'"), COLON("':'"), REST("");

        private final String expected;

        State(String expected) {
            this.expected = expected;
        }
    }

    /** Leaves the grammar. */
    private static final class FaultException extends Exception {
        private static final long serialVersionUID = 1;
        private final transient JsonFault fault;

        FaultException(JsonFault fault) {
            super(fault.problem(), null, false, false);
            this.fault = fault;
        }
    }

    /** The first fault, if there is one. */
    Optional<JsonFault> scan() {
        try {
            skipBlanks();
            while (state != State.REST || !open.isEmpty()) {
                step();
                skipBlanks();
            }
            if (at < text.length()) {
                throw fault("the end of the file");
            }
            return Optional.empty();
        } catch (FaultException e) {
            return Optional.of(e.fault);
        }
    }

    private void step() throws FaultException {
        char c = peek();
        switch (state) {
            case VALUE -> value(c);
            case VALUE_OR_END -> {
                if (c == ']') {
                    close();
                } else {
                    value(c);
                }
            }
            case NAME, NAME_OR_END -> {
                if (c == '}' && state == State.NAME_OR_END) {
                    close();
                } else if (c == '"') {
                    string();
                    state = State.COLON;
                } else {
                    throw fault(state.expected);
                }
            }
            case COLON -> {
                take(c == ':', state.expected);
                state = State.VALUE;
            }
            case REST -> rest(c);
        }
    }

    /** Behind a value. */
    private void rest(char c) throws FaultException {
        boolean object = open.element() == '{';
        if (c == (object ? '}' : ']')) {
            close();
            return;
        }
        take(c == ',', object ? "',' or '}'" : "',' or ']'");
        state = object ? State.NAME : State.VALUE;
    }

    private void value(char c) throws FaultException {
        if (c == '{' || c == '[') {
            open.push(c);
            at++;
            state = c == '{' ? State.NAME_OR_END : State.VALUE_OR_END;
            return;
        }
        if (c == '"') {
            string();
        } else if (c == '-' || isDigit(c)) {
            number();
        } else {
            literal();
        }
        state = State.REST;
    }

    private void close() {
        open.pop();
        at++;
        state = State.REST;
    }

    private void literal() throws FaultException {
        for (String literal : LITERALS) {
            if (text.startsWith(literal, at)) {
                at += literal.length();
                return;
            }
        }
        throw fault(state.expected);
    }

    private void number() throws FaultException {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (peek() == '.') {
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
    }

    private void digits() throws FaultException {
        take(isDigit(peek()), "a digit");
        while (isDigit(peek())) {
            at++;
        }
    }

    private void string() throws FaultException {
        at++;
        while (peek() != '"' || at >= text.length()) {
            if (at >= text.length()) {
                throw fault("'\"' at the end of a text");
            }
            if (peek() < ' ') {
                throw fault("a text on one line, with control characters written as \\n, \\t or \\u001b");
            }
            if (peek() == '\\') {
                at++;
                escape();
            } else {
                at++;
            }
        }
        at++;
    }

    private void escape() throws FaultException {
        boolean code = peek() == 'u';
        take("\"\\/bfnrtu".indexOf(peek()) >= 0 && at < text.length(),
                "one of \", \\, /, b, f, n, r, t and u behind a backslash");
        for (int digit = 0; code && digit < HEX_DIGITS; digit++) {
            take(Character.digit(peek(), 16) >= 0 && peek() < 0x80, "four hexadecimal digits behind \\u");
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** The next character; at the end one that fits nowhere. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private void take(boolean right, String expected) throws FaultException {
        if (!right) {
            throw fault(expected);
        }
        at++;
    }

    private FaultException fault(String expected) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < at; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new FaultException(new JsonFault(line, at - lineStart + 1, found(), expected));
    }

    private String found() {
        if (at >= text.length()) {
            return "the end of the file";
        }
        int end = at;
        while (end < text.length() && end - at < LONGEST_WORD && Character.isLetterOrDigit(text.charAt(end))) {
            end++;
        }
        if (end > at) {
            return "'" + text.substring(at, end) + "'";
        }
        char c = text.charAt(at);
        return c < ' ' ? String.format(Locale.ROOT, "the character \\u%04x", (int) c) : "'" + c + "'";
    }
}
