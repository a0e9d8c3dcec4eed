// What every program of the cockpit's kind has to have: a terminal and a network with TLS.
void floor_begin(void);
// Waits for ever.
void floor_wait(void);
