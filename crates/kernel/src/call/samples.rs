//! Sample states and commands, from which the table of this machine is drawn and checked.
