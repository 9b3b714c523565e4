/**
 * Exchanges between ranks: who has what for whom and where it lands
 * ({@link org.trellis.distributed.exchange.ExchangePattern}), values that are brought
 * ({@link org.trellis.distributed.exchange.Exchange}) or added where they belong
 * ({@link org.trellis.distributed.exchange.SumExchange}), on hosts and on devices.
 */
package org.trellis.distributed.exchange;
