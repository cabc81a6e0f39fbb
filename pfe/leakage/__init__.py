"""What a method library gives away of the sealed problems that it stands in front of."""
