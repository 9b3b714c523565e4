package org.trellis.distributed.exchange;

/** The values in a part of a message, of one type. Operands have arrays of that type. */
interface PartValues {
    /** Copies elements of one component that lie side by side in an array into the message. */
    void packSingle(int[] elements, Object array, int offset);

    /** Copies elements that lie side by side, run by run. */
    void packRuns(PartPositions places, HostOperand operand);

    /** Copies elements, component by component. */
    void packStrided(PartPositions places, HostOperand operand);

    /** Copies the message into elements of one component that lie side by side in an array. */
    void unpackSingle(int[] elements, Object array, int offset);

    /** Copies the message into elements that lie side by side, run by run. */
    void unpackRuns(PartPositions places, HostOperand operand);

    /** Copies the message into elements, component by component. */
    void unpackStrided(PartPositions places, HostOperand operand);

    /** Adds the message to elements, component by component. */
    void addStrided(PartPositions places, HostOperand operand);
}
